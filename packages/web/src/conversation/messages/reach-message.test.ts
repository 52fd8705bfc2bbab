import { signal } from '@preact/signals';
import { parseId, type Id } from '@hearth/protocol';
import { expect, test } from 'bun:test';
import type { ConversationEntry, MessageEntry, OlderState } from './entry.ts';
import { reachMessage } from './reach-message.ts';

function idOf(number: number): Id {
  const id = parseId(String(number));
  if (id === undefined) throw new Error(`${number} is no identifier`);
  return id;
}

const messageOf = (number: number): MessageEntry => ({
  kind: 'message',
  key: String(number),
  id: idOf(number),
  author: 'ada',
  content: `no. ${number}`,
  createdAtMs: number,
  nonce: undefined,
  isOwn: false,
  isPageStart: false,
});

/** A history of pages, the newest first, of which none is loaded yet. */
function historyOf(pages: readonly (readonly number[])[], last: OlderState = 'none') {
  const left = [...pages];
  const entries = signal<readonly ConversationEntry[]>([]);
  const older = signal<OlderState>('unknown');
  const loadOlder = async () => {
    await Promise.resolve();
    entries.value = [...(left.shift() ?? []).map(messageOf), ...entries.peek()];
    older.value = left.length === 0 ? last : 'more';
  };
  return { entries, older, loadOlder, left };
}

test('[WC24] older pages are loaded until the message is there, and no further', async () => {
  const history = historyOf([
    [7, 8],
    [5, 6],
    [3, 4],
    [1, 2],
  ]);
  expect(await reachMessage(history, idOf(5))).toMatchObject({ content: 'no. 5' });
  expect(history.left).toEqual([
    [3, 4],
    [1, 2],
  ]);
  expect(await reachMessage(history, idOf(8))).toMatchObject({ content: 'no. 8' });
  expect(history.left).toHaveLength(2);
});

test.each<[string, Parameters<typeof historyOf>, number, number]>([
  ['was removed', [[[7, 9], [5, 6], [1]]], 8, 2],
  [
    'is older than the first',
    [
      [
        [7, 9],
        [5, 6],
      ],
    ],
    1,
    0,
  ],
  ['is in a conversation without messages', [[[]]], 1, 0],
  ['is where the history cannot be loaded', [[[7, 9], []], 'failed'], 1, 0],
  ['is more than twenty pages up', [Array.from({ length: 30 }, (_, at) => [60 - at])], 5, 10],
])('[WC24] a message that %s is not found', async (_, history, id, pagesLeft) => {
  const messages = historyOf(...history);
  expect(await reachMessage(messages, idOf(id))).toBeUndefined();
  expect(messages.left).toHaveLength(pagesLeft);
});
