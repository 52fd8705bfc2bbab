import type { Context } from '../../../context.ts';
import {
  selectPageFile,
  selectPaths,
  deleteBuilds,
  insertPageFile,
  selectBuilds,
  touchBuild,
  type StoredPageFile,
} from './store.ts';

/** The longest that the list of paths is used, in milliseconds. Processes of another build may start at any time. */
const LISTED_MS = 1_000;

/** Finds files of other builds of the page. Requests for what is not kept cost a query a second, however many there are. */
export class KeptPageFiles {
  readonly #ctx: Pick<Context, 'database' | 'clock'>;
  #paths: Promise<ReadonlySet<string>> | undefined;
  #listedAtMs = 0;

  constructor(ctx: Pick<Context, 'database' | 'clock'>) {
    this.#ctx = ctx;
  }

  /** The content as it is stored, or undefined if no build that is kept has the file. Rejects if the database does not answer. */
  async find(path: string): Promise<string | undefined> {
    const paths = await this.#list();
    return paths.has(path) ? await selectPageFile(this.#ctx.database.reader, path) : undefined;
  }

  #list(): Promise<ReadonlySet<string>> {
    const { clock, database } = this.#ctx;
    const nowMs = clock.monotonicMs();
    if (this.#paths === undefined || nowMs - this.#listedAtMs > LISTED_MS) {
      this.#listedAtMs = nowMs;
      this.#paths = selectPaths(database.reader);
      this.#paths.catch(() => {
        this.#paths = undefined;
      });
    }
    return this.#paths;
  }
}

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
