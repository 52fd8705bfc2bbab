import type { Context } from '../../../context.ts';
import { selectPageFile, selectPaths } from './store.ts';

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
