import { storedId } from './stored-id.ts';
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
        await sql.deleteFrom('channel_words').execute();
        const rows = ['a 1 x', 'a 1 y', 'a 2 w', 'a 2 z', 'a 3 v', 'b 1 x'].map((text) => {
          const [channel_id = '', block, word = ''] = text.split(' ');
          return {
            channel_id: storedId(channel_id),
            block: Number(block),
            word,
            hits: word === 'z' ? 'kept' : '',
          };
        });
        await sql.insertInto('channel_words').values(rows).execute();
      });
    });

    const left = async () => {
      const words = database.reader.selectFrom('channel_words').selectAll();
      const rows = await words.orderBy('channel_id').orderBy('block').orderBy('word').execute();
      return rows.map(({ channel_id, block, word }) => `${channel_id} ${block} ${word}`);
    };
    const ofA = { table: 'channel_words', where: { channel_id: 'a' } };
    const both = { ...ofA, order: ['block', 'word'] };
    const deleteSome = (after: RowPlace | undefined, limit: number, swept = both) =>
      database.transaction(({ sql }) => deleteAfter(sql, swept, { after, limit }));

    test('as many rows are deleted as may be, and the next call continues after the last one', async () => {
      const last = await deleteSome(undefined, 3);
      expect(last).toEqual([2, 'w']);
      expect(await left()).toEqual(['a 2 z', 'a 3 v', 'b 1 x']);
      expect(await deleteSome(last, 1)).toEqual([2, 'z']);
      expect(await deleteSome([2, 'z'], 2)).toBeUndefined();
      expect(await left()).toEqual(['b 1 x']);
    });

    test('all rows that are in one place are deleted, and none from an end on', async () => {
      expect(await deleteSome(undefined, 1, { ...ofA, order: ['block'] })).toEqual([1]);
      const before = { ...both, before: 3 };
      expect(await deleteSome(undefined, 9, before)).toBeUndefined();
      expect(await left()).toEqual(['a 3 v', 'b 1 x']);
    });

    test('rows with other values are passed over', async () => {
      const { signal } = new AbortController();
      await deleteAll(database, { ...both, only: { hits: '' } }, { atOnce: 2, signal });
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
