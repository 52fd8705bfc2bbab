import type { LobbyMessage } from '@hearth/protocol';
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

test('[LB25] both sides of a place are read at the same time', async () => {
  const asked: HistoryQuery[] = [];
  const { promise: areBothAsked, resolve } = Promise.withResolvers<void>();
  const history = {
    async list(query: HistoryQuery) {
      asked.push(query);
      if (asked.length === 2) resolve();
      await areBothAsked;
      return query.before === undefined ? messages.slice(0, 2) : messages.slice(2);
    },
  };
  expect(await listAround(history, { around: idAt(3), limit: 3 })).toEqual(messages.slice(1, 4));
  expect(asked).toHaveLength(2);
});
