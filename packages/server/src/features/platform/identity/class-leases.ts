import { IDS_PER_SECOND } from '@hearth/protocol';
import type { Clock } from '../../../lib/clock.ts';
import { KEPT, type Database, type Writer } from '../../../ports/database/database.ts';
import type { IdReservation } from './id-generator.ts';
import { idSeconds, PROCESS_CLASSES, processPositions } from './residue-class.ts';
import { lockLease, selectClasses, writeClass, type StoredClass } from './store.ts';

/** After this long without renewal, another process may lease a class. */
const LEASE_MS = 120_000;

/**
 * The lease of a process on one of the classes of positions. Every reservation renews it. A process that lost it, for
 * instance because it was halted, continues with another class. A new lease begins after everything that was reserved
 * of its class, so neither clocks nor silence make two processes draw the same position.
 */
export class ClassLease {
  readonly #database: Database;
  readonly #clock: Clock;
  readonly #holder = crypto.randomUUID();
  /** The class that was leased last. */
  #index = 0;

  constructor(database: Database, clock: Clock) {
    this.#database = database;
    this.#clock = clock;
  }

  /** Reserves up to a position, or further if others were there. Throws what the database throws. */
  async reserve(end: number): Promise<IdReservation> {
    const { index, reservation } = await this.#database.transaction(
      ({ sql }) => this.#reserve(sql, end),
      KEPT,
    );
    this.#index = index;
    return reservation;
  }

  /** Releases the class, which is not used from a position on. */
  async release(from: number): Promise<void> {
    await this.#database.transaction(async ({ sql }) => {
      await lockLease(sql);
      const own = (await selectClasses(sql)).get(this.#index);
      if (own?.holder !== this.#holder) return;
      await writeClass(sql, this.#index, { mark: from, holder: '', renewedAtMs: 0 });
    }, KEPT);
  }

  async #reserve(sql: Writer, wanted: number) {
    // Processes look for a class one after another.
    const { mark: used } = await lockLease(sql);
    const classes = await selectClasses(sql);
    const isOwn = classes.get(this.#index)?.holder === this.#holder;
    const index = isOwn ? this.#index : freest(classes, this.#clock.unixMs() - LEASE_MS);
    const known = classes.get(index)?.mark ?? 0;
    // After what an instance of one process drew from all positions.
    const from = isOwn ? known : Math.max(known, used, idSeconds(this.#clock) * IDS_PER_SECOND);
    const end = Math.max(wanted, from + IDS_PER_SECOND);
    await writeClass(sql, index, {
      mark: end,
      holder: this.#holder,
      renewedAtMs: this.#clock.unixMs(),
    });
    const positions = processPositions(index);
    return { index, reservation: { positions, from: isOwn ? 0 : from, end } };
  }
}

/** Returns the class that is least ahead of time, of those that nobody has, or else the least recently renewed. */
function freest(classes: ReadonlyMap<number, StoredClass>, expiredAtMs: number): number {
  let [best, least] = [0, Infinity];
  for (let index = 0; index < PROCESS_CLASSES; index += 1) {
    const { mark = 0, renewedAtMs = 0 } = classes.get(index) ?? {};
    const isFree = renewedAtMs <= expiredAtMs;
    const rank = isFree ? mark - Number.MAX_SAFE_INTEGER : renewedAtMs;
    if (rank < least) [best, least] = [index, rank];
  }
  return best;
}
