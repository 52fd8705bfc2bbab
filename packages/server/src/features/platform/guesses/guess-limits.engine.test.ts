import { RateLimitedError } from '@hearth/protocol';
import { fakeClock } from '@hearth/testing/fake-clock';
import { onEachDatabase, type TestDatabase } from '@hearth/testing/servers/each-database';
import { until } from '@hearth/testing/until';
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { Database } from '../../../ports/database/database.ts';
import { ownerOutbox } from '../../../ports/outbox/outbox.ts';
import { forNobody, fromAddress, type Allowance } from './allowances.ts';
import { GuessLimits, type Outcome, sweepGuesses } from './guess-limits.ts';

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

    test('[AC40][SC27] nobody waits until a clock that was set back has caught up', async () => {
      const by = limits();
      const guess = () => resultOf(by.attempt([rule('set back')], wrong));
      const nowMs = clock.unixMs();
      clock.setUnixMs(nowMs + HOUR_MS);
      for (let count = 0; count < 3; count += 1) expect(await guess()).toBe('wrong');
      expect(await guess()).toBe(1_000);
      clock.setUnixMs(nowMs);
      expect(await guess()).toBe('wrong');
      // The wrong guesses before count as they did.
      expect(await guess()).toBe(2_000);
      clock.halt(2_000);
      expect(await guess()).toBe('wrong');
    });

    test('[AC40] many guesses at the same time are not more than one after another', async () => {
      const by = limits();
      const guesses = Array.from({ length: 20 }, () =>
        resultOf(by.attempt([rule('many'), rule('other')], wrong)),
      );
      expect((await Promise.all(guesses)).filter((result) => result === 'wrong')).toHaveLength(3);
    });

    test('[AC40] many processes that guess at the same time are given no more guesses than one', async () => {
      await using again = await database.openAgain();
      const allowances = [rule('racing'), rule('beside it', { free: 30 })];
      const { promise: end, resolve: letEnd } = Promise.withResolvers<void>();
      let [begun, refused] = [0, 0];
      const slow = async () => {
        begun += 1;
        await end;
        return wrong();
      };
      const guesses = Array.from({ length: 20 }, async (_, index) => {
        const result = await resultOf(
          limits(index % 2 === 0 ? database : again).attempt(allowances, slow),
        );
        if (result !== 'wrong') refused += 1;
        return result;
      });
      await until(async () => begun + refused === 20);
      expect([begun, refused]).toEqual([3, 17]);
      letEnd();
      await Promise.all(guesses);
      expect(await resultOf(limits().attempt(allowances, right))).toBe(1_000);
    });

    test('[AC40] right guesses of many processes at the same time make nobody wait, and leave nothing', async () => {
      await using again = await database.openAgain();
      const allowances = [rule('rows', { free: 9 }), rule('more rows', { free: 9 })];
      const processes = Array.from({ length: 8 }, (_, at) => limits(at % 2 ? database : again));
      const guesses = processes.flatMap((by) =>
        Array.from({ length: 8 }, () => resultOf(by.attempt(allowances, right))),
      );
      expect(new Set(await Promise.all(guesses))).toEqual(new Set(['right']));
      const keys = allowances.map(({ key }) => key);
      const rows = database.reader.selectFrom('guesses').selectAll().where('key', 'in', keys);
      expect(await rows.execute()).toEqual([]);
    });

    test('[AC40] a guess that is right leaves nothing, and one that has failed is given back', async () => {
      const by = limits();
      const allowances = [rule('kept', { free: 2 }), rule('own', { isPersonal: true })];
      const failing = () => Promise.reject(WRONG);
      for (const guess of [right, failing, right]) await resultOf(by.attempt(allowances, guess));
      const rows = () =>
        database.reader
          .selectFrom('guesses')
          .selectAll()
          .where('key', 'in', ['kept', 'own'])
          .execute();
      expect(await rows()).toEqual([]);
      for (const guess of [wrong, right]) await resultOf(by.attempt(allowances, guess));
      const wrongAtMs = clock.unixMs();
      clock.halt(1_000);
      await resultOf(by.attempt(allowances, right));
      const kept = (await rows()).find(({ key }) => key === 'kept');
      expect([Number(kept?.failures), Number(kept?.last_at_ms)]).toEqual([1, wrongAtMs]);
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
