import { formatId, type Id } from '@hearth/protocol';
import { fakeClock } from '@hearth/testing/fake-clock';
import { onEachDatabase, type TestDatabase } from '@hearth/testing/servers/each-database';
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { OWNER } from '../../actor.ts';
import { jsonLogger } from '../../log/logger.ts';
import { insertStatement } from '../lobby/store.ts';
import { BLOCK_MESSAGES } from './blocks.ts';
import { Indexer } from './indexer.ts';
import { LOBBY_INDEX } from './lobby-index.ts';
import { rebuildSearch } from './rebuild-search.ts';
import { selectIndex } from './store.ts';

const clock = fakeClock();

onEachDatabase((open) => {
  describe('[SE12] an index', () => {
    let database: TestDatabase;
    let logged: string[];

    beforeEach(async () => {
      database = await open();
      logged = [];
    });
    afterEach(() => database[Symbol.asyncDispose]());

    const indexer = (pause: () => Promise<void> = async () => {}) =>
      new Indexer({
        database,
        clock,
        log: jsonLogger('error', (line) => logged.push(line)),
        pause,
      });

    async function write(from: number, to: number): Promise<void> {
      const messages = Array.from({ length: to - from + 1 }, (_, index) => {
        const number = from + index;
        const id: Id = formatId({ seconds: number, instanceId: 1, sequence: 0 });
        return { number, message: { id, author: 'ada', content: `word${number}`, created_at: 1 } };
      });
      const { statement } = insertStatement(messages);
      await database.transaction((tx) => tx.run(statement));
    }

    const words = () =>
      database.reader
        .selectFrom('search_words')
        .selectAll()
        .orderBy('place')
        .orderBy('block')
        .orderBy('word')
        .execute();
    const reached = async () => (await selectIndex(database.reader, LOBBY_INDEX))?.indexedNumber;

    test('has whole blocks only, and continues where it ends', async () => {
      await using own = indexer();
      await write(1, BLOCK_MESSAGES);
      await own.run();
      expect(await reached()).toBe(0);
      await write(BLOCK_MESSAGES + 1, BLOCK_MESSAGES + 1);
      await own.run();
      expect(await reached()).toBe(BLOCK_MESSAGES);
      // Each message has a word of its own, and all have the author.
      expect(await words()).toHaveLength(BLOCK_MESSAGES + 1);
      await write(BLOCK_MESSAGES + 2, 3 * BLOCK_MESSAGES + 5);
      await own.run();
      expect(await reached()).toBe(3 * BLOCK_MESSAGES);
    });

    test('that was interrupted is the same in the end', async () => {
      await write(1, 2 * BLOCK_MESSAGES + 1);
      let left = 17;
      const killed = indexer(async () => {
        left -= 1;
        if (left < 0) throw new Error('killed');
      });
      await killed.run();
      await killed[Symbol.asyncDispose]();
      expect(logged).toHaveLength(1);
      expect((await words()).length).toBeGreaterThan(0);
      expect(await reached()).toBe(0);
      clock.halt(60_000);
      await using own = indexer();
      await own.run();
      const all = await words();
      await rebuildSearch({ database } as unknown as Parameters<typeof rebuildSearch>[0], OWNER);
      await own.run();
      const textOf = (rows: typeof all) => rows.map(({ block, word, hits }) => [block, word, hits]);
      expect(textOf(await words())).toEqual(textOf(all));
    });

    test('is made by one process at a time, and by another one after it was killed', async () => {
      await write(1, BLOCK_MESSAGES + 1);
      const held = Promise.withResolvers<void>();
      const begun = Promise.withResolvers<void>();
      await using one = indexer(() => {
        begun.resolve();
        return held.promise;
      });
      const run = one.run();
      await begun.promise;
      await using other = indexer();
      await other.run();
      expect(await reached()).toBe(0);
      clock.halt(60_000);
      await other.run();
      expect(await reached()).toBe(BLOCK_MESSAGES);
      held.resolve();
      await run;
      expect([await reached(), logged]).toEqual([BLOCK_MESSAGES, []]);
    });

    test('[SE8] loses the blocks of messages that are no longer kept', async () => {
      await using own = indexer();
      await write(1, 3 * BLOCK_MESSAGES + 1);
      await own.run();
      await database.transaction((tx) =>
        tx.run({
          text: 'delete from message_groups where last_number <= $1',
          values: [2 * BLOCK_MESSAGES],
        }),
      );
      await own.run();
      expect(new Set((await words()).map(({ block }) => Number(block)))).toEqual(new Set([2]));
    });

    test('begins again if the numbers of messages do', async () => {
      await using own = indexer();
      await write(1, BLOCK_MESSAGES + 1);
      await own.run();
      await database.transaction((tx) =>
        tx.run({ text: 'delete from message_groups where last_number > $1', values: [0] }),
      );
      const id = formatId({ seconds: 5 * BLOCK_MESSAGES, instanceId: 1, sequence: 0 });
      const message = { id, author: 'ada', content: 'new', created_at: 1 };
      const { statement } = insertStatement([{ number: 1, message }]);
      await database.transaction((tx) => tx.run(statement));
      await own.run();
      expect([await reached(), await words()]).toEqual([0, []]);
    });

    test('[SE13] is made again if the owner wants it, and the old one is deleted', async () => {
      await using own = indexer();
      await write(1, BLOCK_MESSAGES + 1);
      await own.run();
      const before = await words();
      const ctx = { database } as unknown as Parameters<typeof rebuildSearch>[0];
      await rebuildSearch(ctx, OWNER);
      expect(await reached()).toBe(0);
      await own.run();
      const after = await words();
      expect(after).toHaveLength(before.length);
      expect(after[0]?.place).not.toEqual(before[0]?.place);
      const places = await database.reader.selectFrom('search_places').selectAll().execute();
      expect(places).toHaveLength(1);
    });
  });
});
