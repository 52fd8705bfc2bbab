import { RateLimitedError } from '@hearth/protocol';
import { fakeClock } from '@hearth/testing/fake-clock';
import { onEachDatabase, type TestDatabase } from '@hearth/testing/servers/each-database';
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { Database } from '../../ports/database/database.ts';
import { ownerOutbox } from '../../ports/outbox/outbox.ts';
import { forNobody, fromAddress, type Allowance } from './allowances.ts';
import { GuessLimits, type Outcome } from './guess-limits.ts';
import { sweepGuesses } from './sweep-guesses.ts';

const HOUR_MS = 3_600_000;
const WRONG = new Error('wrong');

onEachDatabase((open) => {
  describe('guesses', () => {
    let database: TestDatabase;
    const clock = fakeClock();
    beforeAll(async () => {
      database = await open();
    });
    afterAll(() => database[Symbol.asyncDispose]());

    const limits = (of: Database = database) => new GuessLimits({ database: of, clock });
    const rule = (key: string, given: Partial<Allowance> = {}): Allowance => ({
      key,
      free: 3,
      longestWaitMs: 8_000,
      forgottenAfterMs: HOUR_MS,
      isPersonal: false,
      ...given,
    });
    const wrong = async (): Promise<Outcome<string>> => ({ state: 'wrong', error: WRONG });
    const right = async (): Promise<Outcome<string>> => ({ state: 'right', result: 'welcome' });
    /** `wrong`, `right` or how long one has to wait. */
    const resultOf = (attempt: Promise<unknown>) =>
      attempt.then(
        () => 'right',
        (error: unknown) =>
          error instanceof RateLimitedError
            ? error.data?.['retry_after']
            : error === WRONG && 'wrong',
      );

    test('[AC40] after some wrong guesses one waits a second, then twice as long each time, up to a bound', async () => {
      const by = limits();
      const allowances = [rule('doubling')];
      const guess = () => resultOf(by.attempt(allowances, wrong));
      for (let count = 0; count < 3; count += 1) expect(await guess()).toBe('wrong');
      for (const waitMs of [1_000, 2_000, 4_000, 8_000, 8_000]) {
        expect(await guess()).toBe(waitMs);
        // Also a right one: otherwise it could be found by trying.
        expect(await resultOf(by.attempt(allowances, right))).toBe(waitMs);
        clock.halt(waitMs - 1);
        expect(await guess()).toBe(1);
        clock.halt(1);
        expect(await guess()).toBe('wrong');
      }
      clock.halt(HOUR_MS + 1);
      for (let count = 0; count < 3; count += 1) expect(await guess()).toBe('wrong');
      expect(await guess()).toBe(1_000);
    });

    test('[AC40] many guesses at the same time are not more than one after another', async () => {
      const by = limits();
      const guesses = Array.from({ length: 20 }, () =>
        resultOf(by.attempt([rule('many'), rule('other')], wrong)),
      );
      expect((await Promise.all(guesses)).filter((result) => result === 'wrong')).toHaveLength(3);
    });

    test('[AC40] processes count together, and no guess of theirs is lost', async () => {
      await using again = await database.openAgain();
      const ways = [limits(), limits(again)];
      const guesses = ways.flatMap((by) =>
        Array.from({ length: 4 }, () => by.attempt([rule('together', { free: 9 })], wrong)),
      );
      await Promise.allSettled(guesses);
      expect(await resultOf(limits().attempt([rule('together', { free: 9 })], wrong))).toBe(
        'wrong',
      );
      expect(await resultOf(limits(again).attempt([rule('together', { free: 9 })], right))).toBe(
        1_000,
      );
    });

    test('[AC40] a right guess lets a person forget the wrong ones, and nobody else', async () => {
      const by = limits();
      for (const isPersonal of [true, false]) {
        const allowances = [rule(`personal ${isPersonal}`, { isPersonal })];
        for (const guess of [wrong, wrong, right, wrong]) {
          await by.attempt(allowances, guess).catch(() => {});
        }
        expect(await resultOf(by.attempt(allowances, right))).toBe(isPersonal ? 'right' : 1_000);
      }
    });

    test('[AC40] a guess that shows neither is not counted', async () => {
      const by = limits();
      const open = async (): Promise<Outcome<string>> => ({ state: 'open', error: WRONG });
      for (let count = 0; count < 9; count += 1) {
        expect(await resultOf(by.attempt([rule('open')], open))).toBe('wrong');
      }
      expect(await resultOf(by.attempt([rule('open')], right))).toBe('right');
    });

    test('[AC40] the longest of several waits counts, and guesses that no longer count are forgotten', async () => {
      const by = limits();
      const [short, long] = [rule('short'), rule('long', { free: 1, longestWaitMs: HOUR_MS })];
      await resultOf(by.attempt([short, long], wrong));
      expect(await resultOf(by.attempt([short, long], wrong))).toBe(1_000);
      expect(await resultOf(by.attempt([short], wrong))).toBe('wrong');
      clock.halt(24 * HOUR_MS + 1);
      const sweep = sweepGuesses({ database: ownerOutbox(database), clock });
      await sweep.run(undefined, { id: '1', number: 1, signal: new AbortController().signal });
      expect(await database.reader.selectFrom('guesses').selectAll().execute()).toEqual([]);
    });
  });
});

test('[AC42] names that no account has share a bounded number of allowances', () => {
  const keys = new Set(Array.from({ length: 5_000 }, (_, index) => forNobody(`n${index}`).key));
  expect(keys.size).toBeGreaterThan(4_500);
  for (const key of keys) expect(Number(key.slice(2))).toBeLessThan(65_536);
  expect(forNobody('ada')).toEqual(forNobody('ada'));
  expect(fromAddress('192.0.2.1').key).not.toBe(fromAddress('192.0.2.2').key);
});
