import { formatId, type Id, type LobbyMessage } from '@hearth/protocol';
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { onEachDatabase } from '@hearth/testing/servers/each-database';
import type { Database } from '../../../ports/database/database.ts';
import { eraseMessage } from './changes/store.ts';
import { type StoredMessage } from './message-groups.ts';
import type { MessageRange } from './message-range.ts';
import {
  deleteStatement,
  insertStatement,
  selectById,
  selectLastNumber,
  selectMessages,
} from './store.ts';

const ALL: MessageRange = {
  afterNumber: 0,
  sinceMs: 0,
  after: undefined,
  before: undefined,
  limit: 1_000_000,
  from: 'newest',
};

/** Seconds of many lengths, so that identifiers have many lengths too. */
function idAt(place: number): Id {
  return formatId({ seconds: Math.floor(1.5 ** (place / 4)), instanceId: 1, sequence: place });
}

function stored(number: number, content: string): StoredMessage {
  const message: LobbyMessage = {
    id: idAt(2 * number),
    author: 'ada',
    content,
    created_at: number,
  };
  return { number, message };
}

onEachDatabase((open) => {
  describe('[LB5][LB10] messages that are written together', () => {
    let database: Database;
    let number = 0;

    beforeAll(async () => {
      database = await open();
    });
    afterAll(() => database[Symbol.asyncDispose]());

    test.each([
      [1, 'short', 1],
      [64, 'short', 1],
      [65, 'short', 2],
      [3, 'x'.repeat(20_000), 2],
      [2, 'x'.repeat(500_000), 2],
    ])('%i of them are stored in rows that are read quickly', async (count, content, rows) => {
      const messages = Array.from({ length: count }, () => stored((number += 1), content));
      const { statement } = insertStatement(messages);
      expect(await database.transaction((tx) => tx.run(statement))).toBe(rows);
      const range = { ...ALL, afterNumber: number - count, limit: 100 };
      const reader = database.reader;
      const expected = messages.map(({ message }) => message).toReversed();
      expect(await selectMessages(reader, { ...range, from: 'newest' })).toEqual(expected);
      expect(await selectMessages(reader, { ...range, from: 'oldest' })).toEqual(expected);
      expect(await selectLastNumber(database.reader)).toBe(number);
      // A message that is no longer kept is not returned, although its row still exists.
      expect(await selectMessages(reader, { ...range, afterNumber: number })).toEqual([]);
    });
  });

  test('[LB5] any range finds the right messages after any writes, removals and deletions', async () => {
    await using database = await open();
    const write = (messages: readonly StoredMessage[]) =>
      database.transaction((tx) => tx.run(insertStatement(messages).statement));
    let kept: StoredMessage[] = [];
    expect(await selectLastNumber(database.reader)).toBe(0);
    for (const count of [1, 3, 70, 5, 1, 64, 20]) {
      const group = Array.from({ length: count }, (_, i) =>
        stored(kept.length + i + 1, `naïve 👩‍👩‍👧 \0 "${i}"`),
      );
      await write(group);
      kept.push(...group);
    }
    const removed = [1, 2, 40, 70, 140].map((index) => kept[index]);
    for (const one of removed) {
      const { id } = one?.message ?? { id: idAt(0) };
      const erase = () => database.transaction(({ sql: writer }) => eraseMessage(writer, id));
      expect([await erase(), await erase()]).toEqual([true, false]);
    }
    kept = kept.filter((one) => !removed.includes(one));
    const outdated = { afterNumber: 4, sinceMs: 0 };
    const trim = () => database.transaction((tx) => tx.run(deleteStatement(outdated, 64)));
    expect([await trim(), await trim()]).toEqual([2, 0]);
    kept = kept.filter((one) => one.number > 4);

    const place = fc.option(fc.nat(2 * 170).map(idAt), { nil: undefined });
    const range = fc.record({
      afterNumber: fc.nat(170),
      sinceMs: fc.nat(170),
      after: place,
      before: place,
      limit: fc.integer({ min: 1, max: 200 }),
      from: fc.constantFrom('newest' as const, 'oldest' as const),
    });
    const reader = database.reader;
    await fc.assert(
      fc.asyncProperty(range, async (asked) => {
        expect(await selectMessages(reader, asked)).toEqual(expectedOf(kept, asked));
      }),
      { numRuns: 60 },
    );
    expect(await selectMessages(reader, ALL)).toEqual(expectedOf(kept, ALL));

    const picked = async (numbers: readonly number[]) => {
      const ids = numbers.map((number) => idAt(2 * number));
      return (await selectById(reader, ids)).toSorted((one, other) => one.number - other.number);
    };
    const numbers = fc.uniqueArray(fc.integer({ min: 1, max: 200 }), { maxLength: 100 });
    const picking = fc.asyncProperty(numbers, async (wanted) => {
      expect(await picked(wanted)).toEqual(kept.filter(({ number }) => wanted.includes(number)));
    });
    await fc.assert(picking, { numRuns: 20 });
  });
});

function expectedOf(kept: readonly StoredMessage[], range: MessageRange): LobbyMessage[] {
  const { after, before, limit, from } = range;
  const found = kept
    .filter(
      ({ number, message }) => number > range.afterNumber && message.created_at >= range.sinceMs,
    )
    .map(({ message }) => message)
    .filter(({ id }) => after === undefined || BigInt(id) > BigInt(after))
    .filter(({ id }) => before === undefined || BigInt(id) < BigInt(before));
  return (from === 'newest' ? found.slice(-limit) : found.slice(0, limit)).toReversed();
}
