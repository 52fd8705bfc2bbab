import { compareIds, type LobbyMessage } from '@hearth/protocol';
import { idAt } from '@hearth/testing/ports/shared-lobby';
import { expect, test } from 'bun:test';
import { listAround } from './list-around.ts';
import type { HistoryQuery } from './message-history.ts';

const messages: readonly LobbyMessage[] = [5, 4, 3, 2, 1].map((place) => ({
  id: idAt(place),
  author: 'ada',
  content: String(place),
  created_at: place,
}));

/**
 * Returns what a history answers: the messages right after `after`, or the newest before `before`, the newest first.
 */
function selected({ after, before, limit }: HistoryQuery): readonly LobbyMessage[] {
  if (after !== undefined) {
    const newer = messages.filter(({ id }) => compareIds(id, after) > 0);
    return newer.slice(Math.max(0, newer.length - limit));
  }
  return messages
    .filter(({ id }) => before === undefined || compareIds(id, before) < 0)
    .slice(0, limit);
}

test('[LB25] both sides of a place are read at the same time, and no more than is answered', async () => {
  const asked: HistoryQuery[] = [];
  const { promise: areBothAsked, resolve } = Promise.withResolvers<void>();
  const history = {
    async list(query: HistoryQuery) {
      asked.push(query);
      if (asked.length === 2) resolve();
      await areBothAsked;
      return selected(query);
    },
  };
  expect(await listAround(history, { around: idAt(3), limit: 3 })).toEqual(messages.slice(1, 4));
  expect(asked).toHaveLength(2);
  expect(asked.map(({ limit }) => limit)).toEqual([1, 2]);
});

test('[LB25] if one side has too few messages, the other one has more', async () => {
  const history = { list: async (query: HistoryQuery) => selected(query) };
  for (const place of [0, 1, 2, 3, 4, 5, 6]) {
    for (const limit of [1, 2, 3, 4, 5, 6]) {
      const newer = messages.filter(({ created_at: at }) => at > place).toReversed();
      const older = messages.filter(({ created_at: at }) => at <= place);
      const newerCount = Math.max(Math.floor(limit / 2), limit - older.length);
      const closest = newer.slice(0, newerCount).toReversed();
      expect(await listAround(history, { around: idAt(place), limit })).toEqual([
        ...closest,
        ...older.slice(0, limit - closest.length),
      ]);
    }
  }
});
