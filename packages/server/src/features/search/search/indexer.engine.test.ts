import { ForbiddenError, formatId, type Id } from '@hearth/protocol';
import { fakeClock } from '@hearth/testing/fake-clock';
import { indexSearch, wordsInIndex } from '@hearth/testing/instances/index-search';
import { onEachDatabase, type TestDatabase } from '@hearth/testing/servers/each-database';
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { ANYONE, OWNER } from '../../../actor.ts';
import { jsonLogger } from '../../../log/logger.ts';
import type { Database } from '../../../ports/database/database.ts';
import { NO_ID } from '../../../ports/database/stored-id.ts';
import { noteChanged } from '../../talk/index-queue/index-queue.ts';
import { insertStatement, selectAll } from '../../talk/lobby/store.ts';
import { addEntries } from './add-entries.ts';
import { Indexer } from './indexer.ts';
import { progressText, readProgress } from './progress.ts';
import { rebuildSearch, showSearchProgress } from './search.ts';
import { deleteBlock, deleteEntries, insertBlock, selectState } from './store.ts';

const SIZES = { full: 256, most: 1_000 };
const clock = fakeClock();
const idOf = (number: number): Id => formatId({ seconds: number, instanceId: 1, sequence: 0 });

onEachDatabase((open) => {
  describe('[SE12][SE12a] an index', () => {
    let database: TestDatabase;

    beforeEach(async () => {
      database = await open();
    });
    afterEach(() => database[Symbol.asyncDispose]());

    const index = (steps?: number, of: Database = database) =>
      indexSearch({ database: of, clock }, { sizes: SIZES, ...(steps && { steps }) });

    const longOf = (number: number) =>
      Array.from({ length: 3_000 }, (_, at) => `слово${number}x${at}`);

    async function writeLong(number: number): Promise<void> {
      const content = longOf(number).join(' ');
      const message = { id: idOf(number), author: 'ada', content, created_at: 1 };
      const { statement } = insertStatement([{ number, message }]);
      await database.transaction((tx) => tx.run(statement));
    }

    /** The numbers of words that entries have in the index that is searched. */
    async function counts(): Promise<readonly number[]> {
      const found = await wordsInIndex(database);
      const own = found.map((words) => words.filter((word) => /^(слово|word)/u.test(word)).length);
      return own.toSorted((one, other) => one - other);
    }

    async function write(from: number, to: number): Promise<void> {
      const messages = Array.from({ length: to - from + 1 }, (_, at) => {
        const number = from + at;
        const rest = { author: 'ada', content: `word${number}`, created_at: 1 };
        return { number, message: { id: idOf(number), ...rest } };
      });
      const { statement } = insertStatement(messages);
      await database.transaction((tx) => tx.run(statement));
    }

    const blocks = async () => {
      const rows = await database.reader
        .selectFrom('search_blocks')
        .select(['first_id', 'positions'])
        .orderBy('first_id')
        .execute();
      return rows.map((row) => ({ firstId: row.first_id, positions: Number(row.positions) }));
    };
    const numbers = async () =>
      (await wordsInIndex(database))
        .map((words) => Number(words.find((word) => word.startsWith('word'))?.slice(4)))
        .toSorted((one, other) => one - other);
    const upTo = (last: number) => Array.from({ length: last }, (_, at) => at + 1);
    const rebuild = () =>
      rebuildSearch({ database } as unknown as Parameters<typeof rebuildSearch>[0], OWNER);

    test('it is made from the newest message backwards, and continues with new ones', async () => {
      await write(1, 600);
      await index(1);
      expect(await numbers()).toEqual(upTo(600).slice(-128));
      await write(601, 610);
      await index();
      expect(await numbers()).toEqual(upTo(610));
      await write(611, 900);
      await index();
      expect(await numbers()).toEqual(upTo(900));
      // The first one begins before all messages, and each of the others when the one before it is full.
      expect((await blocks())[0]?.firstId).toBe(NO_ID);
      for (const { positions } of (await blocks()).slice(1, -1)) {
        expect(positions).toBeGreaterThanOrEqual(SIZES.full);
        expect(positions).toBeLessThan(SIZES.full + 128);
      }
    });

    test('[SE13a] the log and the owner see how far a rebuild is, once a minute', async () => {
      await write(1, 600);
      await index();
      await rebuild();
      const ctx = { database } as unknown as Parameters<typeof showSearchProgress>[0];
      const progress = async () => {
        const read = await showSearchProgress(ctx, OWNER);
        return progressText(read ?? expect.unreachable());
      };
      const lines: string[] = [];
      const log = jsonLogger('info', (line) => lines.push(JSON.parse(line).msg));
      const seen: string[] = [];
      const pause = async () => {
        seen.push(await progress());
        clock.halt(25_000);
      };
      await using indexer = new Indexer({ database, clock, log, sizes: SIZES, pause });
      await indexer.run();
      expect(seen.slice(0, 5)).toEqual([
        'is being made: 128 of about 600 entries (21 %)',
        'is being made: 256 of about 600 entries (42 %)',
        'is being made: 384 of about 600 entries (64 %)',
        'is being made: 512 of about 600 entries (85 %)',
        'is complete: 600 entries',
      ]);
      expect(lines).toEqual([
        'the search index is being made: 384 of about 600 entries (64 %)',
        'the search index is complete: 600 entries',
      ]);
      expect(await progress()).toBe('is complete: 600 entries');
      expect(() => showSearchProgress(ctx, ANYONE)).toThrow(ForbiddenError);
    });

    test('[SE13a] a first index has no total, and is not in the log if it is complete within a minute', async () => {
      await write(1, 200);
      await index(1);
      const begun = (await readProgress(database.reader)) ?? expect.unreachable();
      expect(progressText(begun)).toBe('is being made: 128 entries so far');
      const lines: string[] = [];
      const log = jsonLogger('info', (line) => lines.push(line));
      await using indexer = new Indexer({ database, clock, log, pause: async () => {} });
      await indexer.run();
      expect(lines).toEqual([]);
      expect(await readProgress(database.reader)).toMatchObject({ isComplete: true, entries: 200 });
    });

    test('it is the same whether it was interrupted, made by two processes at once, or made again', async () => {
      await write(1, 900);
      await index(3);
      await using again = await database.openAgain();
      for (let steps = 1; steps <= 3; steps += 1) {
        await Promise.all([index(steps), index(steps, again)]);
      }
      await index();
      expect(await numbers()).toEqual(upTo(900));
      const words = await wordsInIndex(database);
      await rebuild();
      await index(2);
      expect(await wordsInIndex(database)).toEqual(words);
      await index();
      expect(await wordsInIndex(database)).toEqual(words);
      const rows = await database.reader.selectFrom('search_blocks').selectAll().execute();
      expect(new Set(rows.map((row) => Number(row.index_number)))).toEqual(new Set([2]));
      for (const table of ['search_words', 'search_entries'] as const) {
        const left = await database.reader.selectFrom(table).select('block').distinct().execute();
        expect(left).toHaveLength(rows.length);
      }
    });

    test('[SE23] a number of a block is not given again', async () => {
      await write(1, 2);
      await index();
      const add = () => database.transaction((tx) => insertBlock(tx.sql, 1, idOf(3)));
      const { block } = await add();
      await database.transaction((tx) => deleteBlock(tx.sql, block));
      expect((await add()).block).toBe(block + 1);
    });

    test('[SE12b] a long text is added in short steps, also if it was interrupted', async () => {
      const stored = async () => {
        const { count } = await database.reader
          .selectFrom('search_words')
          .select(({ fn }) => fn.countAll<number>().as('count'))
          .executeTakeFirstOrThrow();
        return Number(count);
      };
      // Once while the index is filled, and once as a new message.
      for (const [number, isInterrupted] of [
        [1, true],
        [2, false],
      ] as const) {
        await writeLong(number);
        if (isInterrupted) await index(3);
        const sizes = [await stored()];
        const pause = async () => void sizes.push(await stored());
        await indexSearch({ database, clock }, { sizes: SIZES, pause });
        const added = sizes.slice(1).map((size, at) => size - (sizes[at] ?? 0));
        expect(Math.max(...added)).toBeLessThanOrEqual(800);
        expect(sizes.length).toBeGreaterThan(4);
        const found = await wordsInIndex(database);
        expect(found).toHaveLength(number);
        for (let of = 1; of <= number; of += 1) {
          expect(found).toContainEqual(expect.arrayContaining(longOf(of)));
        }
        const left = await database.reader.selectFrom('search_queue').selectAll().execute();
        expect(left).toEqual([]);
      }
    });

    test('[SE12b][SE24] a long text has all its words in a new index after two processes added it', async () => {
      await write(1, 1);
      await index();
      await using again = await database.openAgain();
      await writeLong(2);
      let isOvertaken = false;
      const pause = async () => {
        if (isOvertaken || (await counts()).at(-1) !== 800) return;
        isOvertaken = true;
        await index(undefined, again);
      };
      const log = jsonLogger('error', (line) => expect.unreachable(line));
      await using indexer = new Indexer({ database, clock, log, sizes: SIZES, pause });
      await indexer.run();
      expect(isOvertaken).toBe(true);
      expect(await counts()).toEqual([1, 3_000]);
      await rebuild();
      await indexer.run();
      expect(await counts()).toEqual([1, 3_000]);
    });

    test('[SE12b][SE17a] a long text has all its words after it was another one for a while', async () => {
      await index();
      await using again = await database.openAgain();
      await writeLong(2);
      const change = async (writeAgain: () => Promise<void>) => {
        await database.transaction((tx) =>
          tx.sql.deleteFrom('message_groups').where('last_number', '=', 2).execute(),
        );
        await writeAgain();
        await database.transaction((tx) => noteChanged(tx.sql, 'lobby', [idOf(2)]));
      };
      const seen: (readonly number[])[] = [];
      const pause = async () => {
        if (seen.length > 0 || (await counts()).at(-1) !== 800) return;
        await change(() => write(2, 2));
        await index(undefined, again);
        seen.push(await counts());
        await change(() => writeLong(2));
      };
      await indexSearch({ database, clock }, { sizes: SIZES, pause });
      expect(seen).toEqual([[1]]);
      expect(await counts()).toEqual([3_000]);
    });

    test('[SE12b][SE24] a long text has all its words in a new index that is begun while it is added', async () => {
      await write(1, 1);
      await index();
      await writeLong(2);
      let isBegun = false;
      const pause = async () => {
        if (isBegun || (await counts()).at(-1) !== 800) return;
        isBegun = true;
        await rebuild();
        // As another process does, which has not seen that something is noted.
        await database.transaction(async (tx) => {
          await insertBlock(tx.sql, 2, idOf(2));
          await noteChanged(tx.sql, 'lobby', [idOf(2)]);
        });
      };
      await indexSearch({ database, clock }, { sizes: SIZES, pause });
      expect((await selectState(database.reader))?.searched).toBe(2);
      expect(await counts()).toEqual([1, 3_000]);
    });

    test('[SE12b] a long text is added in short steps if something deleted is noted before it, too', async () => {
      await write(2, 2);
      await index();
      await database.transaction((tx) => noteChanged(tx.sql, 'lobby', [idOf(1)]));
      await writeLong(3);
      await database.transaction((tx) => noteChanged(tx.sql, 'lobby', [idOf(3)]));
      const seen = new Set<number>();
      const pause = async () => void seen.add((await counts()).at(-1) ?? 0);
      await indexSearch({ database, clock }, { sizes: SIZES, pause });
      expect([...seen]).toEqual([1, 800, 1_600, 2_400, 3_000]);
    });

    test('[SE13] a new index is searched only when it has the oldest long text, too', async () => {
      await writeLong(1);
      await write(2, 2);
      await index();
      await rebuild();
      const seen: (readonly number[])[] = [];
      const pause = async () => void seen.push(await counts());
      // Each block is full at once, also before the last step, which needs no other one.
      await indexSearch({ database, clock }, { sizes: { full: 1, most: 9 }, pause });
      for (const each of seen) expect(each).toEqual([1, 3_000]);
      expect((await selectState(database.reader))?.searched).toBe(2);
      expect(await blocks()).toEqual([
        { firstId: NO_ID, positions: 1 },
        { firstId: idOf(2), positions: 1 },
      ]);
    });

    test('[SE23] after late entries had to go to a second block, the next block begins after all of both', async () => {
      await index();
      const sizes = { full: 4, most: 6 };
      const add = (ids: readonly number[]) =>
        database.transaction((tx) =>
          addEntries(tx, {
            index: 1,
            sizes,
            noted: ids.map((id) => ({ id: idOf(id), kind: 'lobby' })),
            words: new Map(ids.map((id) => [idOf(id), new Map([[`word${id}`, '']])])),
          }),
        );
      await add([100, 101, 102, 103, 104, 105]);
      await add([10, 11, 12, 13]);
      await add([50]);
      expect((await blocks()).map(({ firstId }) => firstId)).toEqual([NO_ID, NO_ID]);
      await add([106]);
      expect((await blocks()).map(({ firstId }) => firstId)).toEqual([NO_ID, NO_ID, idOf(106)]);
    });

    test('[SE17a] outdated words leave while an index is filled, too', async () => {
      await write(1, 600);
      await index();
      const { block } =
        (await database.reader
          .selectFrom('search_blocks')
          .select('block')
          .orderBy('first_id')
          .limit(1)
          .executeTakeFirst()) ?? expect.unreachable();
      await database.transaction((tx) => deleteEntries(tx.sql, block, [0]));
      await rebuild();
      // The first step fills.
      await index(2);
      expect((await selectState(database.reader))?.isComplete).toBe(false);
      expect(await numbers()).toHaveLength(599);
    });

    test('[SE8] it loses messages that are no longer kept, in short steps', async () => {
      await write(1, 900);
      await index();
      const forget = (upTo: number) =>
        database.transaction((tx) =>
          tx.sql.deleteFrom('message_groups').where('last_number', '<=', upTo).execute(),
        );
      await forget(640);
      const kept = (await selectAll(database.reader, { limit: 1_000 })).map(({ number }) => number);
      expect(kept.length).toBeLessThan(400);
      // Whichever step is the last one, the next process continues.
      for (let steps = 0; steps < 4; steps += 1) await index(1);
      await index();
      expect(await numbers()).toEqual(kept.toReversed());
      await forget(900);
      await index();
      expect(await numbers()).toEqual([]);
      await write(901, 910);
      await index();
      expect(await numbers()).toEqual(upTo(910).slice(900));
    });
  });
});
