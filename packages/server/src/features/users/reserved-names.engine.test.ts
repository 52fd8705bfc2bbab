import { ServerError } from '@hearth/protocol';
import { fakeClock } from '@hearth/testing/fake-clock';
import { readerBefore } from '@hearth/testing/ports/reader-before';
import { onEachDatabase, type TestDatabase } from '@hearth/testing/servers/each-database';
import { until } from '@hearth/testing/until';
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { ChangedLobby } from '@hearth/testing/instances/changed-lobby';
import type { Database } from '../../ports/database/database.ts';
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

    test('are known to every process, and given up ones for a year', async () => {
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

    test('are not guessed while the database is away: all are free only if nobody has an account', async () => {
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
