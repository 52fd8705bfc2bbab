import type { Reader, Writer } from '../../../ports/database/database.ts';

/** A file of the page, packed. */
export interface StoredPageFile {
  readonly path: string;
  readonly content: string;
}

/** A build of which files are kept. */
export interface StoredBuild {
  readonly build: string;
  /** The size of all its files as they are stored. */
  readonly bytes: number;
}

/** The builds of which files are kept, the one that started last first. */
export async function selectBuilds(db: Reader): Promise<readonly StoredBuild[]> {
  const rows = await db
    .selectFrom('page_files')
    .select(({ fn }) => ['build', fn.sum<number>(fn('length', ['content'])).as('bytes')])
    .groupBy('build')
    .orderBy(({ fn }) => fn.max('started_at_ms'), 'desc')
    .execute();
  return rows.map(({ build, bytes }) => ({ build, bytes: Number(bytes) }));
}

/** Remembers that a process started with a build. Resolves with whether its files are kept. */
export async function touchBuild(db: Writer, build: string, nowMs: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('page_files')
    .set({ started_at_ms: nowMs })
    .where('build', '=', build)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

export async function insertPageFile(
  db: Writer,
  build: string,
  { path, content, nowMs }: StoredPageFile & { readonly nowMs: number },
): Promise<void> {
  await db
    .insertInto('page_files')
    .values({ build, path, content, started_at_ms: nowMs })
    .onConflict((conflict) => conflict.columns(['build', 'path']).doNothing())
    .execute();
}

/** Forgets builds. */
export async function deleteBuilds(db: Writer, builds: readonly string[]): Promise<void> {
  if (builds.length === 0) return;
  await db.deleteFrom('page_files').where('build', 'in', builds).execute();
}

export async function selectPaths(db: Reader): Promise<ReadonlySet<string>> {
  const rows = await db.selectFrom('page_files').select('path').distinct().execute();
  return new Set(rows.map(({ path }) => path));
}

/** A file at a path, which has the same content in each build that has it. */
export async function selectPageFile(db: Reader, path: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('page_files')
    .select('content')
    .where('path', '=', path)
    .limit(1)
    .executeTakeFirst();
  return row?.content;
}
