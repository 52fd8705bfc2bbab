import { NO_ID, storedId } from './stored-id.ts';
import { onEachDatabase, type TestDatabase } from '@hearth/testing/servers/each-database';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { deleteAfter, deleteAll, type RowPlace } from './delete-after.ts';

onEachDatabase((open) => {
  describe('deleting rows in the order of an index', () => {
    let database: TestDatabase;

    beforeAll(async () => {
      database = await open();
    });
    afterAll(() => database[Symbol.asyncDispose]());
    beforeEach(async () => {
      await database.transaction(async ({ sql }) => {
        await sql.deleteFrom('message_reactions').execute();
        const rows = ['a 1 x', 'a 1 y', 'a 2 w', 'a 2 z', 'a 3 v', 'b 1 x'].map((text) => {
          const [message = '', emoji = '', user = ''] = text.split(' ');
          const ids = { message_id: storedId(message), user_id: storedId(user) };
          return { ...ids, emoji, channel_id: NO_ID, reacted_at_ms: user === 'z' ? 1 : 0 };
        });
        await sql.insertInto('message_reactions').values(rows).execute();
      });
    });

    const left = async () => {
      const reactions = database.reader.selectFrom('message_reactions').selectAll();
      const rows = await reactions
        .orderBy('message_id')
        .orderBy('emoji')
        .orderBy('user_id')
        .execute();
      return rows.map((row) => `${row.message_id} ${row.emoji} ${row.user_id}`);
    };
    const ofA = { table: 'message_reactions', where: { message_id: 'a' } };
    const both = { ...ofA, order: ['emoji', 'user_id'] };
    const deleteSome = (after: RowPlace | undefined, limit: number, swept = both) =>
      database.transaction(({ sql }) => deleteAfter(sql, swept, { after, limit }));

    test('as many rows are deleted as may be, and the next call continues after the last one', async () => {
      const last = await deleteSome(undefined, 3);
      expect(last).toEqual(['2', 'w']);
      expect(await left()).toEqual(['a 2 z', 'a 3 v', 'b 1 x']);
      expect(await deleteSome(last, 1)).toEqual(['2', 'z']);
      expect(await deleteSome(['2', 'z'], 2)).toBeUndefined();
      expect(await left()).toEqual(['b 1 x']);
    });

    test('all rows that are in one place are deleted, and none from an end on', async () => {
      expect(await deleteSome(undefined, 1, { ...ofA, order: ['emoji'] })).toEqual(['1']);
      const before = { ...both, before: '3' };
      expect(await deleteSome(undefined, 9, before)).toBeUndefined();
      expect(await left()).toEqual(['a 3 v', 'b 1 x']);
    });

    test('rows with other values are passed over', async () => {
      const { signal } = new AbortController();
      await deleteAll(database, { ...both, only: { reacted_at_ms: 0 } }, { atOnce: 2, signal });
      expect(await left()).toEqual(['a 2 z', 'b 1 x']);
    });

    test('deleting stops between two transactions', async () => {
      const stopping = new AbortController();
      const stopped = {
        transaction: <Result>(work: Parameters<typeof database.transaction<Result>>[0]) => {
          stopping.abort();
          return database.transaction(work);
        },
      };
      const deleting = deleteAll(stopped, both, { atOnce: 2, signal: stopping.signal });
      expect(await deleting.catch(() => 'stopped')).toBe('stopped');
      expect(await left()).toEqual(['a 2 w', 'a 2 z', 'a 3 v', 'b 1 x']);
    });
  });
});
