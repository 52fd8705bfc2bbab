import type { Reader, Writer } from '../../../ports/database/database.ts';
import { lockSetting } from '../../platform/settings/settings.ts';

/** The setting whose row is locked by every change of a static file. */
const LOCK_SETTING = 'statics_lock';

const staticsWithContents = (db: Reader) =>
  db
    .selectFrom('statics')
    .innerJoin('contents', 'contents.blob_key', 'statics.blob_key')
    .select([
      'statics.name',
      'statics.blob_key as blobKey',
      'statics.content_type as contentType',
      'statics.added_at_ms as addedAtMs',
      'contents.sha256',
      'contents.size_bytes as sizeBytes',
    ]);

export type StaticFile = Readonly<
  Awaited<ReturnType<ReturnType<typeof staticsWithContents>['executeTakeFirstOrThrow']>>
>;

export type StaticRecord = Omit<StaticFile, 'sha256' | 'sizeBytes'>;

export async function selectStatic(db: Reader, name: string): Promise<StaticFile | undefined> {
  return await staticsWithContents(db).where('statics.name', '=', name).executeTakeFirst();
}

/** Every static file, by name. */
export async function selectStatics(db: Reader): Promise<readonly StaticFile[]> {
  return await staticsWithContents(db).orderBy('statics.name').execute();
}

/**
 * Locks all static files against other changes until the transaction ends. A change may lock two contents, that of the
 * new file and that of the replaced one: two such changes would each wait for what the other holds.
 */
export function lockStatics(db: Writer): Promise<void> {
  return lockSetting(db, LOCK_SETTING);
}

/**
 * Records a static file, in place of one of the same name, and returns the key of the content that this one had. All
 * static files are locked.
 */
export async function putStatic(db: Writer, record: StaticRecord): Promise<string | undefined> {
  const { name } = record;
  const row = {
    blob_key: record.blobKey,
    content_type: record.contentType,
    added_at_ms: record.addedAtMs,
  };
  const replaced = await db
    .selectFrom('statics')
    .select('blob_key')
    .where('name', '=', name)
    .executeTakeFirst();
  await db
    .insertInto('statics')
    .values({ name, ...row })
    .onConflict((conflict) => conflict.column('name').doUpdateSet(row))
    .execute();
  return replaced?.blob_key;
}

/** Deletes a static file and returns the key of its content, or undefined if there is none with this name. */
export async function deleteStatic(db: Writer, name: string): Promise<string | undefined> {
  const row = await db
    .deleteFrom('statics')
    .where('name', '=', name)
    .returning('blob_key')
    .executeTakeFirst();
  return row?.blob_key;
}
