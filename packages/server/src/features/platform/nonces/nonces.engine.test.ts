import { formatId, LOBBY_STREAM, type Id } from '@hearth/protocol';
import { fakeClock } from '@hearth/testing/fake-clock';
import { endedOrWaiting } from '@hearth/testing/lock-waits';
import { onEachDatabase, type TestDatabase } from '@hearth/testing/servers/each-database';
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { Transaction } from '../../../ports/database/database.ts';
import { claimNonces } from './claim-nonce.ts';
import { listAppended } from './list-appended.ts';
import { rememberNonces, type UsedNonce } from './store.ts';
import { sweepNonces } from './sweep-nonces.ts';

const MINUTE_MS = 60_000;
const idOf = (sequence: number): Id => formatId({ seconds: 100, instanceId: 1, sequence });
const [ADA, BOB] = [idOf(1), idOf(2)];

onEachDatabase((open) => {
  describe('nonces that were used', () => {
    let database: TestDatabase;
    const clock = fakeClock();
    beforeAll(async () => {
      database = await open();
    });
    afterAll(() => database[Symbol.asyncDispose]());

    const used = (result: number, given: Partial<UsedNonce> = {}): UsedNonce => ({
      place: 'c:1',
      userId: ADA,
      nonce: 'n',
      resultId: idOf(result),
      usedAtMs: clock.unixMs(),
      ...given,
    });
    const claimIn = async (tx: Transaction, nonce: UsedNonce) =>
      (await claimNonces(tx, [nonce])).get(0) ?? nonce.resultId;
    const claim = (nonce: UsedNonce) => database.transaction((tx) => claimIn(tx, nonce));
    const remember = (nonces: readonly UsedNonce[]) =>
      database.transaction(async (tx) => {
        for (const statement of rememberNonces(nonces)) await tx.run(statement);
      });
    const sweep = () =>
      sweepNonces({ database, clock }).run(undefined, {
        id: 'sweep',
        number: 1,
        signal: new AbortController().signal,
      });
    const count = async () => {
      const rows = await database.reader.selectFrom('used_nonces').select('nonce').execute();
      return rows.length;
    };
    const countGroups = async (place: string) => {
      const groups = database.reader.selectFrom('nonce_groups').where('place', '=', place);
      return (await groups.select('last_id').execute()).length;
    };

    test('[LA16][LA16a] lead to what was created first, for one person in one place', async () => {
      expect(await claim(used(10))).toBe(idOf(10));
      expect(await claim(used(11))).toBe(idOf(10));
      expect(await claim(used(12, { place: 'c:2' }))).toBe(idOf(12));
      expect(await claim(used(13, { userId: BOB }))).toBe(idOf(13));
      expect(await claim(used(14, { nonce: 'N' }))).toBe(idOf(14));
    });

    test('[LA16] a nonce creates one thing, even if two processes use it at the same time', async () => {
      await using other = await database.openAgain();
      for (let round = 0; round < 5; round += 1) {
        const nonce = `at once ${round}`;
        const results = await Promise.all(
          [database, other].map((each, at) =>
            each.transaction((tx) => claimIn(tx, used(20 + 2 * round + at, { nonce }))),
          ),
        );
        expect(new Set(results).size).toBe(1);
      }
    });

    test('[LA18][LA18a] nonces are forgotten after ten minutes, and then deleted', async () => {
      const nonce = 'old';
      await claim(used(40, { nonce }));
      clock.advance(10 * MINUTE_MS - 1);
      await sweep();
      expect(await claim(used(41, { nonce }))).toBe(idOf(40));
      clock.advance(1);
      expect(await claim(used(42, { nonce }))).toBe(idOf(42));
      await sweep();
      expect(await count()).toBe(1);
      expect(await claim(used(43, { nonce }))).toBe(idOf(42));
    });

    test('[LA18] nonces stay if they are used again while old ones are deleted', async () => {
      const nonce = 'used again';
      await claim(used(50, { nonce }));
      clock.advance(10 * MINUTE_MS);
      await using other = await database.openAgain();
      const { promise: isClaimed, resolve } = Promise.withResolvers<void>();
      const sweeping = isClaimed.then(sweep);
      const claiming = other.transaction(async (tx) => {
        await claimIn(tx, used(51, { nonce }));
        resolve();
        // The sweep has found the row by then.
        await endedOrWaiting(database, sweeping);
      });
      await Promise.all([sweeping, claiming]);
      expect(await claim(used(52, { nonce }))).toBe(idOf(51));
    });

    test('[LA18] nonces are listed as keys in the order of use, without those of other places', async () => {
      const place = LOBBY_STREAM;
      const many = Array.from({ length: 150 }, (_, at) =>
        used(100 + at, { place, nonce: `${at}`, usedAtMs: clock.unixMs() + at }),
      );
      await remember(many);
      await remember([used(299, { place: 'c:3' })]);
      await remember([used(300, { place, nonce: '3', usedAtMs: clock.unixMs() + 200 })]);
      await remember([]);
      expect(await countGroups(place)).toBe(2);
      const listed = await listAppended(database, LOBBY_STREAM, clock);
      expect(listed).toHaveLength(150);
      expect(listed[0]).toEqual({ key: `lobby ${ADA} 0`, id: idOf(100) });
      expect(listed.at(-1)).toEqual({ key: `lobby ${ADA} 3`, id: idOf(300) });
    });

    test('[LA18] nonces are listed and deleted with the others of their group, for ten minutes after the newest', async () => {
      const place = 'c:4';
      for (let group = 0; group < 70; group += 1) {
        const [first, second] = [400 + 2 * group, 401 + 2 * group];
        // Many in one millisecond, as after an outage.
        if (group === 69) clock.advance(1);
        await remember([
          used(first, { place, nonce: `${first}` }),
          used(second, { place, nonce: `${second}` }),
        ]);
      }
      const listed = async () => (await listAppended(database, place, clock)).map(({ id }) => id);
      expect(await listed()).toEqual(Array.from({ length: 140 }, (_, at) => idOf(400 + at)));
      clock.advance(10 * MINUTE_MS - 1);
      expect(await listed()).toEqual([idOf(538), idOf(539)]);
      await sweep();
      expect(await countGroups(place)).toBe(1);
      clock.advance(1);
      expect(await listed()).toEqual([]);
      await sweep();
      expect(await countGroups(place)).toBe(0);
    });
  });
});
