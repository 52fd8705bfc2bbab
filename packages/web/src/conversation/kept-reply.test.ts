import { signal } from '@preact/signals';
import { parseId, type ConnectionState, type Id } from '@hearth/sdk';
import { expect, test } from 'bun:test';
import { MemoryStorage } from '../../test/support/memory-storage.ts';
import { KeptReply, type KeptReplyOptions } from './kept-reply.ts';
import type { ReplyTarget } from './reply-target.ts';

const [ID = expect.unreachable()] = [parseId('42')];
const OPEN: ConnectionState = { state: 'open', profile: 1, isCurrent: true };
const target: ReplyTarget = {
  id: ID,
  author: 'ada',
  content: 'good evening',
  url: `http://chat.test/lobby/${ID}`,
};

/** Opens pages of one browser, whose instance has the messages `existing`. */
function browserWith(existing: readonly Id[]) {
  const local = new MemoryStorage();
  const asked: unknown[] = [];
  const open = (session: Storage = new MemoryStorage(), storageKey = 'here') => {
    const connection = { state: signal<ConnectionState>({ state: 'idle' }) };
    const removals = new Set<(event: { id: Id }) => void>();
    const source = {
      on: (_name: string, listener: (event: { id: Id }) => void) => {
        removals.add(listener);
        return () => removals.delete(listener);
      },
      listMessages: async (query: unknown) => {
        asked.push(query);
        return existing.map((id) => ({ id }));
      },
    };
    const urlOf = (id: Id) => `http://chat.test/lobby/${id}`;
    const storages = { local, session };
    const options = { source, urlOf, connection, storages, storageKey };
    // Guarantee: only these parts are used.
    const reply = new KeptReply(options as unknown as KeptReplyOptions);
    const remove = (id: Id) => removals.forEach((listener) => listener({ id }));
    return { reply, connection, remove, removals };
  };
  return { open, asked };
}

test('[WC96] the message that a draft replies to is kept from page to page, for each conversation', async () => {
  const { open, asked } = browserWith([ID]);
  const session = new MemoryStorage();
  open(session).reply.target.value = target;
  const again = open(session);
  expect(again.reply.target.value).toEqual(target);
  expect(open().reply.target.value).toEqual(target);
  expect(open(undefined, 'elsewhere').reply.target.value).toBeUndefined();
  again.connection.state.value = OPEN;
  await Promise.resolve();
  expect(asked).toEqual([{ around: ID, limit: 1 }]);
  expect(again.reply.target.value).toEqual(target);
  again.reply.target.value = undefined;
  expect(open(session).reply.target.value).toBeUndefined();
});

test('[WC96] it is forgotten if the message was removed, before or after the page opened', async () => {
  const { open } = browserWith([]);
  const first = open();
  first.reply.target.value = target;
  const late = open();
  expect(late.reply.target.value).toEqual(target);
  late.connection.state.value = OPEN;
  await Promise.resolve();
  await Promise.resolve();
  expect(late.reply.target.value).toBeUndefined();
  first.remove(ID);
  expect(first.reply.target.value).toBeUndefined();
  first.reply[Symbol.dispose]();
  expect(first.removals.size).toBe(0);
});
