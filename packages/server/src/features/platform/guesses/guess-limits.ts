import { RateLimitedError, type Id } from '@hearth/protocol';
import { HOUR_MS, type Clock } from '../../../lib/clock.ts';
import { KeyedQueue } from '../../../lib/keyed-queue.ts';
import { ageOf } from '../../../lib/stored-moment.ts';
import type { Database, Reader, Writer } from '../../../ports/database/database.ts';
import { sweep } from '../jobs/jobs.ts';
import { waitAfter, fromKnownNetwork, REMEMBERED_MS, type Allowance } from './allowances.ts';
import {
  deleteUnused,
  lockFailures,
  setFailures,
  clearFailures,
  selectFailures,
  deleteFailuresBefore,
  type StoredFailures,
} from './store.ts';

/**
 * The outcome of a guess: it was right, it was wrong, or it shows neither, such as a right password without the code
 * that is needed too.
 */
export type Outcome<Result> =
  | { readonly state: 'right'; readonly result: Result }
  | { readonly state: 'wrong' | 'open'; readonly error: Error };

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
    // So that people whose guesses are right do not wait because of each other.
    const keys = allowances.map(({ key }) => key);
    return this.#queue.run(keys, async () => {
      const taken = await this.#take(allowances);
      let state: Outcome<Result>['state'] = 'open';
      try {
        const outcome = await guess();
        state = outcome.state;
        if (outcome.state !== 'right') throw outcome.error;
        return outcome.result;
      } finally {
        if (state !== 'wrong') await this.#giveBack(taken, state);
      }
    });
  }

  /**
   * Counts a guess as a wrong one before it is made: otherwise processes could compare many at once before the first of
   * them is counted. One that dies leaves it counted.
   */
  async #take(allowances: readonly Allowance[]): Promise<readonly TakenGuess[]> {
    const { database, clock } = this.#options;
    const nowMs = clock.unixMs();
    const sorted = allowances.toSorted(byKey);
    return await database.transaction(async ({ sql }) => {
      const keys = sorted.map(({ key }) => key);
      const known = await lockFailures(sql, keys);
      const taken = sorted.map((rule, at): TakenGuess => {
        const before = known[at] ?? { key: rule.key, failures: 0, lastAtMs: 0 };
        const isForgotten = nowMs - before.lastAtMs > rule.forgottenAfterMs;
        return { rule, before: isForgotten ? { ...before, failures: 0 } : before, nowMs };
      });
      const waitMs = Math.max(0, ...taken.map(waitOf));
      if (waitMs > 0) throw new RateLimitedError(waitMs);
      for (const { before } of taken) {
        await setFailures(sql, { ...before, failures: before.failures + 1, lastAtMs: nowMs });
      }
      return taken;
    });
  }

  /**
   * Takes back that a guess was counted. A right one also lets earlier ones be forgotten, but only what one person used up:
   * somebody who knows one password must not be given guesses at others for it.
   */
  async #giveBack(taken: readonly TakenGuess[], state: 'right' | 'open'): Promise<void> {
    const { database, clock } = this.#options;
    await database.transaction(async ({ sql }) => {
      const keys = taken.map(({ rule }) => rule.key);
      const known = await lockFailures(sql, keys);
      for (const [at, { rule, before, nowMs }] of taken.entries()) {
        const { key, failures, lastAtMs } = known[at] ?? before;
        if (state === 'right' && rule.isPersonal && before.failures > 0) {
          await setFailures(sql, { key, failures: 0, lastAtMs: clock.unixMs() });
          continue;
        }
        await setFailures(sql, {
          key,
          failures: Math.max(0, failures - 1),
          // Unless there was another guess meanwhile.
          lastAtMs: lastAtMs === nowMs ? before.lastAtMs : lastAtMs,
        });
      }
      await deleteUnused(sql, keys);
    });
  }
}

export interface KeepsGuesses {
  readonly guesses: GuessLimits;
}

/** A guess that is counted in an allowance, and what there was before. */
interface TakenGuess {
  readonly rule: Allowance;
  readonly before: StoredFailures;
  readonly nowMs: number;
}

function waitOf({ rule, before: { failures, lastAtMs }, nowMs }: TakenGuess): number {
  return waitAfter(failures, rule) - ageOf(lastAtMs, nowMs);
}

function byKey(one: Allowance, other: Allowance): number {
  return one.key < other.key ? -1 : 1;
}

/** Treats a network as one from which an account has been used, until somebody signs in from there or for a day. */
export async function welcomeNetwork(
  db: Writer,
  { userId, network }: { readonly userId: Id; readonly network: string },
  nowMs: number,
): Promise<void> {
  await clearFailures(db, fromKnownNetwork(userId, network).key, nowMs);
}

/**
 * Resolves with whether guesses from a network count apart, because of {@link welcomeNetwork} or earlier guesses from
 * there.
 */
export async function isWelcome(
  db: Reader,
  { userId, network }: { readonly userId: Id | undefined; readonly network: string },
): Promise<boolean> {
  const { key } = fromKnownNetwork(userId ?? '', network);
  return (await selectFailures(db, [key])).length > 0;
}

/** Forgets wrong guesses that no longer count, once an hour. */
export const sweepGuesses = sweep('sweep-guesses', HOUR_MS, ({ sql }, nowMs) =>
  deleteFailuresBefore(sql, nowMs - REMEMBERED_MS),
);
