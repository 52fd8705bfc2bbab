import { formatId, type LobbyMessage } from '@hearth/protocol';
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { openTestContext } from '../../../test/support/test-context.ts';
import type { OwnerContext } from '../../instance.ts';
import { insertMessages, selectMessages, type StoredMessage } from './store.ts';

let ctx: OwnerContext;
let number = 0;

beforeAll(async () => {
  ctx = await openTestContext();
});

afterAll(() => ctx[Symbol.asyncDispose]());

function stored(content: string): StoredMessage {
  number += 1;
  const id = formatId({ seconds: 1_000 + number, instanceId: 1, sequence: 0 });
  const message: LobbyMessage = { id, author: 'ada', content, created_at: number };
  return { number, message };
}

async function rowsFor(messages: readonly StoredMessage[]): Promise<number> {
  return ctx.database.quietTransaction((writer) => insertMessages(writer, messages));
}

describe('[LB5][LB10] messages that are written together', () => {
  test.each([
    [1, 'short', 1],
    [64, 'short', 1],
    [65, 'short', 2],
    [3, 'x'.repeat(20_000), 2],
    [2, 'x'.repeat(500_000), 2],
  ])('%i of them are rows that are quickly read', async (count, content, rows) => {
    const messages = Array.from({ length: count }, () => stored(content));
    expect(await rowsFor(messages)).toBe(rows);
    const range = {
      afterNumber: (messages[0]?.number ?? 0) - 1,
      sinceMs: 0,
      after: undefined,
      before: undefined,
      limit: 100,
    };
    const reader = await ctx.database.reader();
    const expected = messages.map(({ message }) => message).toReversed();
    expect(await selectMessages(reader, { ...range, from: 'newest' })).toEqual(expected);
    expect(await selectMessages(reader, { ...range, from: 'oldest' })).toEqual(expected);
    // What is beyond what is kept is not answered, though it is there.
    const none = { ...range, afterNumber: number, from: 'newest' } as const;
    expect(await selectMessages(reader, none)).toEqual([]);
  });
});
