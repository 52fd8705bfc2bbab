import { formatId, type Id } from '@hearth/protocol';
import { fakeClock } from '@hearth/testing/fake-clock';
import { onEachDatabase, type TestDatabase } from '@hearth/testing/servers/each-database';
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { OWNER } from '../../../actor.ts';
import { jsonLogger } from '../../../log/logger.ts';
import type { Database } from '../../../ports/database/database.ts';
import { insertStatement } from '../../talk/lobby/store.ts';
import { BLOCK_SIZES } from './blocks.ts';
import { Indexer } from './indexer.ts';
import { LOBBY_INDEX, selectIndex } from './store.ts';
import { rebuildSearch } from './search.ts';

const [SMALL, MIDDLE, LARGE] = BLOCK_SIZES;

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

    const indexer = (pause: () => Promise<void> = async () => {}, of: Database = database) =>
      new Indexer({
        database: of,
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
        .orderBy('size')
        .orderBy('block')
        .orderBy('word')
        .execute();
    const reached = async () => (await selectIndex(database.reader, LOBBY_INDEX))?.indexedNumber;

    /** The blocks that have words, as `size:index`. */
    const blocks = async () => [
      ...new Set((await words()).map((row) => `${row.size}:${row.block}`)),
    ];

    test('has whole blocks only, and continues where it ends', async () => {
      await using own = indexer();
      await write(1, SMALL);
      await own.run();
      expect(await reached()).toBe(0);
      await write(SMALL + 1, SMALL + 1);
      await own.run();
      expect(await reached()).toBe(SMALL);
      // Each message has a word of its own, and all have the author.
      expect(await words()).toHaveLength(SMALL + 1);
      await write(SMALL + 2, 3 * MIDDLE + SMALL + 1);
      await own.run();
      expect(await reached()).toBe(3 * MIDDLE + SMALL);
      const middle = [0, 1, 2].map((index) => `${MIDDLE}:${index}`);
      expect(await blocks()).toEqual([`${SMALL}:${(3 * MIDDLE) / SMALL}`, ...middle]);
    });

    test('has larger blocks in place of smaller ones, which stay until the next larger one', async () => {
      await using own = indexer();
      const small = [0, 1, 2, 3, 4, 5, 6].map((index) => `${SMALL}:${index}`);
      const steps = [
        [MIDDLE, MIDDLE - SMALL, small],
        [MIDDLE + 1, MIDDLE, [...small, `${MIDDLE}:0`]],
        [2 * MIDDLE + 1, 2 * MIDDLE, [`${MIDDLE}:0`, `${MIDDLE}:1`]],
        [LARGE + 1, LARGE, [`${MIDDLE}:0`, `${MIDDLE}:1`, `${LARGE}:0`]],
        [2 * LARGE + 1, 2 * LARGE, [`${LARGE}:0`, `${LARGE}:1`]],
      ] as const;
      let written = 0;
      for (const [last, indexed, expected] of steps) {
        await write(written + 1, last);
        written = last;
        await own.run();
        expect([await reached(), await blocks()]).toEqual([indexed, [...expected]]);
      }
    });

    test('that was interrupted is the same in the end', async () => {
      await write(1, 2 * MIDDLE + SMALL + 1);
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
      const textOf = (rows: typeof all) =>
        rows.map(({ size, block, word, hits }) => [size, block, word, hits]);
      expect(textOf(await words())).toEqual(textOf(all));
    });

    test('is made by one process at a time, and by another one after it was killed', async () => {
      await write(1, MIDDLE + 1);
      const held = Promise.withResolvers<void>();
      const begun = Promise.withResolvers<void>();
      await using one = indexer(() => {
        begun.resolve();
        return held.promise;
      });
      const run = one.run();
      await begun.promise;
      await using again = await database.openAgain();
      await using other = indexer(undefined, again);
      await other.run();
      expect(await reached()).toBe(0);
      clock.halt(60_000);
      await other.run();
      expect(await reached()).toBe(MIDDLE);
      held.resolve();
      await run;
      expect([await reached(), logged]).toEqual([MIDDLE, []]);
    });

    test('that was replaced is not deleted while another process adds to it', async () => {
      await write(1, MIDDLE + 1);
      const held = Promise.withResolvers<void>();
      const begun = Promise.withResolvers<void>();
      await using one = indexer(async () => {
        if ((await words()).length === 0) return;
        begun.resolve();
        await held.promise;
      });
      const run = one.run();
      await begun.promise;
      await rebuildSearch({ database } as unknown as Parameters<typeof rebuildSearch>[0], OWNER);
      await database.transaction((tx) =>
        tx.run({ text: 'delete from message_groups where last_number > $1', values: [0] }),
      );
      await using again = await database.openAgain();
      await using other = indexer(undefined, again);
      const before = await words();
      await other.run();
      expect([before.length > 0, await words()]).toEqual([true, before]);
      held.resolve();
      await run;
      clock.halt(60_000);
      await other.run();
      const places = await database.reader.selectFrom('search_places').selectAll().execute();
      expect([await words(), places.length]).toEqual([[], 1]);
    });

    test('[SE8] loses the blocks of messages that are no longer kept', async () => {
      await using own = indexer();
      await write(1, 3 * MIDDLE + 1);
      await own.run();
      await database.transaction((tx) =>
        tx.run({
          text: 'delete from message_groups where last_number <= $1',
          values: [2 * MIDDLE],
        }),
      );
      await own.run();
      expect(new Set((await words()).map(({ block }) => Number(block)))).toEqual(new Set([2]));
    });

    test('begins again if the numbers of messages do', async () => {
      await using own = indexer();
      await write(1, MIDDLE + 1);
      await own.run();
      await database.transaction((tx) =>
        tx.run({ text: 'delete from message_groups where last_number > $1', values: [0] }),
      );
      const id = formatId({ seconds: 5 * MIDDLE, instanceId: 1, sequence: 0 });
      const message = { id, author: 'ada', content: 'new', created_at: 1 };
      const { statement } = insertStatement([{ number: 1, message }]);
      await database.transaction((tx) => tx.run(statement));
      await own.run();
      expect([await reached(), await words()]).toEqual([0, []]);
    });

    test('[SE13] is made again if the owner wants it, and the old one is deleted', async () => {
      await using own = indexer();
      await write(1, MIDDLE + 1);
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
