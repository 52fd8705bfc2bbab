import { ServerError, UNDRAWN_CHARACTERS } from '@hearth/protocol';
import { LRUCache } from 'lru-cache';
import type { Clock } from '../../../lib/clock.ts';
import { skeletonsOf } from '../../../lib/skeleton.ts';
import { inTime, within } from '../../../lib/within.ts';
import type { Change, Database } from '../../../ports/database/database.ts';
import { selectHasNames, selectReservedUntil } from './store.ts';

/** The age in milliseconds that the knowledge that nothing has changed may reach. */
const HEAR_MS = 200;

/** The time in milliseconds that the database may take before it counts as unavailable. */
const ANSWER_MS = 1_000;

const MOST_REMEMBERED = 10_000;

interface Verdict {
  readonly skeletons: ReadonlySet<string>;
  /** Until when the name is reserved, in Unix milliseconds; 0 if it is not. */
  readonly untilMs: number;
}

export interface ReservedNamesOptions {
  readonly database: Pick<Database, 'reader' | 'onChange' | 'hearChanges'>;
  readonly clock: Clock;
}

/**
 * Which names guests may not use, because they are names of accounts, or look like one. Answers at once for names that
 * somebody used before, as long as this process hears of changes, and otherwise reads the database. If that does not
 * answer, every name is free as long as nobody had an account: posting worked without a database before.
 */
export class ReservedNames implements Disposable {
  readonly #options: ReservedNamesOptions;
  readonly #verdicts = new LRUCache<string, Verdict>({ max: MOST_REMEMBERED });
  readonly #stop: () => void;
  #changes = 0;
  /** True if there are names; undefined if that is not known, or may have changed. */
  #hasNames: boolean | undefined;
  /** True if there were none when this was read last. */
  #hadNone = false;
  #isAway = false;
  #reading: Promise<boolean> | undefined;
  #heardAtMs = -Infinity;
  #isCertain = false;

  constructor(options: ReservedNamesOptions) {
    this.#options = options;
    this.#stop = options.database.onChange((changes) => this.#forget(changes));
  }

  /** Returns whether a guest may not use a name. Throws, or rejects with, ServerError if that cannot be known. */
  isReserved(name: string): boolean | Promise<boolean> {
    if (!this.#hears()) return this.#ask(name);
    if (this.#hasNames === false) return false;
    const known = this.#verdicts.get(name);
    return known === undefined ? this.#ask(name) : this.#isNow(known.untilMs);
  }

  /** Reads whether there are names at all, so that the first question is answered at once. */
  async prepare(): Promise<void> {
    await within(this.#readHasNames(), ANSWER_MS);
  }

  [Symbol.dispose](): void {
    this.#stop();
  }

  // Not at every question, because asking costs as much as a small part of a post.
  #hears(): boolean {
    const { clock, database } = this.#options;
    const nowMs = clock.monotonicMs();
    if (nowMs - this.#heardAtMs >= HEAR_MS) {
      this.#heardAtMs = nowMs;
      this.#isCertain = database.hearChanges();
    }
    return this.#isCertain;
  }

  async #ask(name: string): Promise<boolean> {
    try {
      const reading = this.#readHasNames();
      // The reading that goes on ends this.
      if (this.#isAway && this.#hadNone) return false;
      return (await inTime(reading, ANSWER_MS)) && (await inTime(this.#read(name), ANSWER_MS));
    } catch {
      this.#isAway = true;
      if (this.#hadNone) return false;
      throw new ServerError('Checking the name');
    }
  }

  #readHasNames(): Promise<boolean> {
    if (this.#hasNames === true) return Promise.resolve(true);
    this.#reading ??= this.#readHasNamesNow().finally(() => {
      this.#reading = undefined;
    });
    // It may go on after nobody waits for it any more.
    this.#reading.catch(() => {});
    return this.#reading;
  }

  async #readHasNamesNow(): Promise<boolean> {
    const { database } = this.#options;
    const changes = this.#changes;
    const isCertain = database.hearChanges();
    const hasNames = await selectHasNames(database.reader);
    [this.#isAway, this.#hadNone] = [false, !hasNames];
    // Names are reserved for a year after the last account: there are names from then on.
    if (hasNames || (isCertain && changes === this.#changes)) this.#hasNames = hasNames;
    return hasNames;
  }

  async #read(name: string): Promise<boolean> {
    const { database } = this.#options;
    const skeletons = await skeletonsOf(name.replaceAll(UNDRAWN_CHARACTERS, ''));
    const changes = this.#changes;
    const isCertain = database.hearChanges();
    const untilMs = await selectReservedUntil(database.reader, [...skeletons]);
    if (isCertain && changes === this.#changes) this.#verdicts.set(name, { skeletons, untilMs });
    return this.#isNow(untilMs);
  }

  #isNow(untilMs: number): boolean {
    return untilMs > this.#options.clock.unixMs();
  }

  #forget(changes: readonly Change[] | 'unknown'): void {
    if (changes === 'unknown') {
      this.#changes += 1;
      this.#verdicts.clear();
      if (this.#hasNames === false) this.#hasNames = undefined;
      return;
    }
    const changed = new Set(changes.filter(({ kind }) => kind === 'names').map(({ id }) => id));
    if (changed.size === 0) return;
    this.#changes += 1;
    [this.#hasNames, this.#hadNone] = [true, false];
    for (const [name, { skeletons }] of this.#verdicts.entries()) {
      if (!changed.isDisjointFrom(skeletons)) this.#verdicts.delete(name);
    }
  }
}

export interface KeepsReservedNames {
  readonly names: ReservedNames;
}
