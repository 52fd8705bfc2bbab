import type { Id } from '@hearth/protocol';
import { GatheredReads } from '../../../lib/gathered-reads.ts';
import type { Database } from '../../../ports/database/database.ts';
import { selectStandings, type NamedPlace, type Placed, type Standing } from './standing-store.ts';

/** Finds places, and who somebody is there, together for many who come at the same time. */
export class Standings {
  readonly #database: Pick<Database, 'reader'>;
  readonly #reads: GatheredReads<string, Standing>;
  /** The requested things, by the keys of the reads. */
  readonly #asked = new Map<string, Placed>();

  constructor(database: Pick<Database, 'reader'>) {
    this.#database = database;
    this.#reads = new GatheredReads((keys) => this.#readAll(keys));
  }

  /** A place as it is now; undefined if there is none, after the same statement. */
  async find(named: NamedPlace, userId: Id | undefined): Promise<Standing | undefined> {
    const key = `${named.kind} ${named.id} ${userId ?? ''}`;
    this.#asked.set(key, { named, userId });
    return await this.#reads.of(key);
  }

  async #readAll(keys: readonly string[]): Promise<ReadonlyMap<string, Standing>> {
    const asked = keys.flatMap((key) => {
      const placed = this.#asked.get(key);
      this.#asked.delete(key);
      return placed === undefined ? [] : [{ key, ...placed }];
    });
    const found = new Map<string, Standing>();
    await Promise.all(
      Array.from(
        Map.groupBy(asked, ({ named }) => named.kind),
        async ([kind, own]) => {
          const standings = await selectStandings(this.#database.reader, kind, own);
          for (const [at, { key }] of own.entries()) {
            const standing = standings[at];
            if (standing !== undefined) found.set(key, standing);
          }
        },
      ),
    );
    return found;
  }
}

export interface KeepsStandings {
  readonly standings: Standings;
}
