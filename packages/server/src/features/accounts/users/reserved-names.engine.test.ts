import { ServerError, UNDRAWN_CHARACTERS } from '@hearth/protocol';
import { fakeClock } from '@hearth/testing/fake-clock';
import { readerBefore } from '@hearth/testing/ports/reader-before';
import { onEachDatabase, type TestDatabase } from '@hearth/testing/servers/each-database';
import { until } from '@hearth/testing/until';
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { ChangedLobby } from '@hearth/testing/instances/changed-lobby';
import type { Database } from '../../../ports/database/database.ts';
import { renewSkeletons } from './renew-skeletons.ts';
import { ReservedNames } from './reserved-names.ts';

const YEAR_MS = 365 * 86_400_000;

onEachDatabase((open) => {
  describe('[LA3] the names of accounts', () => {
    let database: TestDatabase;
    let lobby: ChangedLobby;
    beforeEach(async () => {
      database = await open();
      lobby = await ChangedLobby.open(database);
    });
    afterEach(async () => {
      await lobby[Symbol.asyncDispose]();
      await database[Symbol.asyncDispose]();
    });

    test('names are known to every process, and given up ones for a year', async () => {
      await using another = await database.openAgain();
      const clock = fakeClock();
      using names = new ReservedNames({ database: another, clock });
      await names.prepare();
      // Nobody has an account, so the answer is there at once.
      expect(names.isReserved('ada')).toBe(false);
      const ada = await lobby.addUser('ada');
      const isReserved = async (name: string) => {
        clock.advance(200);
        return names.isReserved(name);
      };
      await until(() => isReserved('ada'));
      expect(await isReserved('eve')).toBe(false);
      clock.advance(200);
      // Names that were asked for before are remembered.
      expect([names.isReserved('ada'), names.isReserved('eve')]).toEqual([true, false]);
      await lobby.addUser('eve');
      await until(() => isReserved('eve'));
      const freeAtMs = clock.unixMs() + YEAR_MS;
      await database.transaction(async (tx) => {
        const given = tx.sql.updateTable('user_names').set({ free_at_ms: freeAtMs });
        await given.where('user_id', '=', ada.user_id).execute();
        tx.changed('names', 'ada');
      });
      clock.halt(YEAR_MS);
      await until(async () => !(await isReserved('ada')));
      expect(await isReserved('eve')).toBe(true);
    });

    test('names cover what guests write, in any form, in other characters and with some that draw nothing', async () => {
      await lobby.addUser('cleopatra');
      using names = new ReservedNames({ database, clock: fakeClock() });
      const guests = [
        'cIeopatra',
        'c\u0406eopatra',
        '\u03f2leopatra',
        'cleo\u0007patra',
        'cle\u2800opatra',
      ];
      for (const name of guests) expect(await names.isReserved(name)).toBe(true);
      let undrawn = '';
      for (let code = 0; code <= 0x10ffff; code += 1) {
        const character = String.fromCodePoint(code);
        if (character.search(UNDRAWN_CHARACTERS) !== -1) undrawn += character;
      }
      expect(undrawn.length).toBeGreaterThan(4_500);
      expect(await names.isReserved(['', 'cleo', 'patra', ''].join(undrawn))).toBe(true);
      for (const name of ['cleo', 'cieopatra']) expect(await names.isReserved(name)).toBe(false);
    });

    test('[AC5] looks of older rules are computed again, once, and both of two names that now look the same are kept', async () => {
      const [cleo, iris, eve] = [
        await lobby.addUser('cleopatra'),
        await lobby.addUser('iris'),
        await lobby.addUser('eve'),
      ];
      const age = (user: typeof cleo, set: { skeleton: string; username?: string }) =>
        database.transaction(({ sql }) =>
          sql
            .updateTable('user_names')
            .set({ ...set, look_version: 0 })
            .where('user_id', '=', user.user_id)
            .execute(),
        );
      await age(cleo, { skeleton: 'an older look' });
      await age(iris, { skeleton: 'another older look', username: 'eve' });
      const looks = async () =>
        (
          await database.reader
            .selectFrom('user_names')
            .select('skeleton')
            .orderBy('skeleton')
            .execute()
        ).map(({ skeleton }) => skeleton);
      using names = new ReservedNames({ database, clock: fakeClock() });
      expect(await names.isReserved('cIeopatra')).toBe(false);
      const attempt = { id: 'x', number: 1, signal: new AbortController().signal };
      const job = renewSkeletons({ database: lobby.ctx.database });
      await job.run(undefined, attempt);
      expect(await looks()).toEqual(['another older look', 'cleopatra', 'eve']);
      await until(async () => names.isReserved('cIeopatra'));
      // Nothing is left to do: a look of the present rules is not touched.
      await database.transaction(({ sql }) =>
        sql
          .updateTable('user_names')
          .set({ skeleton: 'kept' })
          .where('user_id', '=', eve.user_id)
          .execute(),
      );
      await job.run(undefined, attempt);
      expect(await looks()).toEqual(['another older look', 'cleopatra', 'kept']);
    });

    test('names are not guessed while the database is away: all are free only if nobody has an account', async () => {
      let isAway = false;
      const away = async () => {
        if (isAway) throw new Error('the database is away');
      };
      const lost: Database = {
        ...database,
        reader: readerBefore(database.reader, away),
        hearChanges: () => !isAway && database.hearChanges(),
      };
      const clock = fakeClock();
      using names = new ReservedNames({ database: lost, clock });
      await names.prepare();
      isAway = true;
      clock.advance(200);
      expect(await names.isReserved('ada')).toBe(false);
      isAway = false;
      await lobby.addUser('ada');
      clock.advance(200);
      await until(async () => names.isReserved('ada'));
      isAway = true;
      clock.advance(200);
      const asked = Promise.resolve(names.isReserved('ada'));
      expect(await asked.catch((error: unknown) => error)).toBeInstanceOf(ServerError);
      isAway = false;
      clock.advance(200);
      expect(await names.isReserved('ada')).toBe(true);
    });
  });
});
