import { RateLimitedError } from '@hearth/protocol';
import type { Clock } from '../../lib/clock.ts';
import { KeyedQueue } from '../../lib/keyed-queue.ts';
import type { Database } from '../../ports/database/database.ts';
import { waitAfter, type Allowance } from './allowances.ts';
import { clearFailures, countFailure, selectFailures, type StoredFailures } from './store.ts';

/**
 * What came of a guess: it was right, it was wrong, or it shows neither, such as a right password without the code that is
 * needed too.
 */
export type Outcome<Result> =
  | { readonly state: 'right'; readonly result: Result }
  | { readonly state: 'wrong' | 'open'; readonly error: Error };

/** What counting wrong guesses needs. */
export interface GuessLimitsOptions {
  readonly database: Pick<Database, 'reader' | 'transaction'>;
  readonly clock: Pick<Clock, 'unixMs'>;
}

/**
 * Counts wrong passwords and codes, and lets people wait before they guess again: the more wrong guesses, the longer. They are kept in the
 * database, for all processes and over a restart.
 */
export class GuessLimits {
  readonly #options: GuessLimitsOptions;
  readonly #queue = new KeyedQueue();

  constructor(options: GuessLimitsOptions) {
    this.#options = options;
  }

  /**
   * Makes a guess that uses all of these allowances, and returns the result of a right one. Throws the error of one that
   * is not, what `guess` throws, and RateLimitedError without making it if one has to wait.
   */
  attempt<Result>(
    allowances: readonly Allowance[],
    guess: () => Promise<Outcome<Result>>,
  ): Promise<Result> {
    // Otherwise many guesses could be compared before the first of them is counted.
    const keys = allowances.map(({ key }) => key);
    return this.#queue.run(keys, async () => {
      const known = await this.#require(allowances, keys);
      const outcome = await guess();
      if (outcome.state === 'wrong') await this.#count(allowances);
      if (outcome.state !== 'right') throw outcome.error;
      await this.#forget(allowances, known);
      return outcome.result;
    });
  }

  async #require(
    allowances: readonly Allowance[],
    keys: readonly string[],
  ): Promise<readonly StoredFailures[]> {
    const { database, clock } = this.#options;
    const known = await selectFailures(database.reader, keys);
    const nowMs = clock.unixMs();
    const waits = known.map(({ key, failures, lastAtMs }) => {
      const rule = allowances.find((allowance) => allowance.key === key);
      if (rule === undefined || nowMs - lastAtMs > rule.forgottenAfterMs) return 0;
      const waitMs = waitAfter(failures, rule);
      // No longer than that if the clock was set back.
      return Math.min(waitMs, lastAtMs + waitMs - nowMs);
    });
    const waitMs = Math.max(0, ...waits);
    if (waitMs > 0) throw new RateLimitedError(waitMs);
    return known;
  }

  async #count(allowances: readonly Allowance[]): Promise<void> {
    const { database, clock } = this.#options;
    const nowMs = clock.unixMs();
    await database.transaction(async ({ sql }) => {
      // In one order everywhere, so that no two transactions wait for each other.
      for (const { key, forgottenAfterMs } of allowances.toSorted(byKey)) {
        await countFailure(sql, key, { nowMs, sinceMs: nowMs - forgottenAfterMs });
      }
    });
  }

  /** Only what one person used up: somebody who knows one password must not be given guesses at others for it. */
  async #forget(allowances: readonly Allowance[], known: readonly StoredFailures[]): Promise<void> {
    const { database, clock } = this.#options;
    const cleared = known.filter(
      ({ key, failures }) =>
        failures > 0 &&
        allowances.some((allowance) => allowance.key === key && allowance.isPersonal),
    );
    if (cleared.length === 0) return;
    await database.transaction(async ({ sql }) => {
      for (const { key } of cleared) await clearFailures(sql, key, clock.unixMs());
    });
  }
}

function byKey(one: Allowance, other: Allowance): number {
  return one.key < other.key ? -1 : 1;
}
