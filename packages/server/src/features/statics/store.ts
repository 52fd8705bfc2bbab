import type { Reader, Writer } from '../../ports/database/database.ts';

/** A static file and its content. */
export interface StaticFile {
  readonly name: string;
  readonly sizeBytes: number;
  readonly contentType: string;
  readonly addedAtMs: number;
  readonly sha256: string;
  readonly blobKey: string;
}

/** What is recorded of a static file itself. */
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

/** The static file of this name. */
export async function selectStatic(db: Reader, name: string): Promise<StaticFile | undefined> {
  const row = await staticsWithContents(db).where('statics.name', '=', name).executeTakeFirst();
  return row === undefined ? undefined : staticFile(row);
}

/** Every static file, by name. */
export async function selectStatics(db: Reader): Promise<readonly StaticFile[]> {
  const rows = await staticsWithContents(db).execute();
  // Databases have orders of texts of their own.
  return rows.map(staticFile).toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

/** Records a static file. */
export async function insertStatic(db: Writer, record: StaticRecord): Promise<void> {
  await db
    .insertInto('statics')
    .values({
      name: record.name,
      blob_key: record.blobKey,
      content_type: record.contentType,
      added_at_ms: record.addedAtMs,
    })
    .execute();
}

/** Deletes a static file and returns the key of its content, or undefined when there is none of this name. */
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
    addedAtMs: Number(row.added_at_ms),
    sha256: row.sha256,
    blobKey: row.blob_key,
  };
}
