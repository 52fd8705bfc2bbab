import type { Reader, Writer } from '../../../ports/database/database.ts';
import { lockSetting } from '../../platform/settings/settings.ts';

/** The setting whose row is locked by every change of a static file. */
const LOCK_SETTING = 'statics_lock';

export interface StaticFile {
  readonly name: string;
  readonly sizeBytes: number;
  readonly contentType: string;
  readonly addedAtMs: number;
  readonly sha256: string;
  readonly blobKey: string;
}

export interface StaticRecord {
  readonly name: string;
  readonly blobKey: string;
  readonly contentType: string;
  readonly addedAtMs: number;
}

const staticsWithContents = (db: Reader) =>
  db
    .selectFrom('statics')
    .innerJoin('contents', 'contents.blob_key', 'statics.blob_key')
    .select([
      'statics.name',
      'statics.blob_key',
      'statics.content_type',
      'statics.added_at_ms',
      'contents.sha256',
      'contents.size_bytes',
    ]);

type StaticRow = Awaited<
  ReturnType<ReturnType<typeof staticsWithContents>['executeTakeFirstOrThrow']>
>;

export async function selectStatic(db: Reader, name: string): Promise<StaticFile | undefined> {
  const row = await staticsWithContents(db).where('statics.name', '=', name).executeTakeFirst();
  return row === undefined ? undefined : staticFile(row);
}

/** Every static file, by name. */
export async function selectStatics(db: Reader): Promise<readonly StaticFile[]> {
  const rows = await staticsWithContents(db).orderBy('statics.name').execute();
  return rows.map(staticFile);
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

function staticFile(row: StaticRow): StaticFile {
  return {
    name: row.name,
    sizeBytes: Number(row.size_bytes),
    contentType: row.content_type,
    addedAtMs: row.added_at_ms,
    sha256: row.sha256,
    blobKey: row.blob_key,
  };
}
