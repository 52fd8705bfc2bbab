import type { Context } from '../../../context.ts';
import {
  deleteBuilds,
  insertPageFile,
  selectBuilds,
  touchBuild,
  type StoredPageFile,
} from './store.ts';

/** The most that is kept, as it is stored: 20 MB. */
const MOST_BYTES = 20_000_000;

/** The files of a build of the web client that are named after their content. */
export interface PageBuild {
  readonly build: string;
  readonly files: readonly StoredPageFile[];
}

/**
 * Keeps the files of this build and of the one before it, for pages that were opened before an update, on any process. Nothing is
 * kept that would take more than {@link MOST_BYTES}.
 */
export async function keepPageFiles(
  { database, clock }: Pick<Context, 'database' | 'clock'>,
  { build, files }: PageBuild,
  mostBytes: number = MOST_BYTES,
): Promise<void> {
  const nowMs = clock.unixMs();
  await database.transaction(async (tx) => {
    await tx.hold('page-files', 'alone');
    const ownBytes = files.reduce((sum, { content }) => sum + content.length, 0);
    const isKept = await touchBuild(tx.sql, build, nowMs);
    if (!isKept && ownBytes <= mostBytes) {
      for (const file of files) await insertPageFile(tx.sql, build, { ...file, nowMs });
    }
    const [before, ...older] = (await selectBuilds(tx.sql)).filter((each) => each.build !== build);
    const isTooMuch = before !== undefined && before.bytes + ownBytes > mostBytes;
    const gone = isTooMuch ? [before, ...older] : older;
    await deleteBuilds(
      tx.sql,
      gone.map((each) => each.build),
    );
  });
}
