import { HISTORY_PAGE } from '@hearth/protocol';
import { createClient, type Client } from '@hearth/sdk';
import {
  scriptedMessage,
  startScriptedLobby,
  type ScriptedLobby,
} from '@hearth/testing/clients/scripted-lobby';
import { expect, test } from 'bun:test';
import { signalUntil } from '../../../test/support/signal-until.ts';
import { lobbySource } from '../../lobby/lobby-source.ts';
import { MessageStore } from './message-store.ts';

interface Opened {
  readonly client: Client;
  readonly messages: MessageStore;
}

async function open(scripted: ScriptedLobby, options: Parameters<typeof createClient>[1] = {}) {
  const client = createClient(await (await fetch(scripted.url)).json(), options);
  const messages = new MessageStore(lobbySource(client), {
    isOwnNonce: (nonce) => nonce.startsWith('own'),
  });
  messages.start();
  await Promise.all([client.open(), scripted.greet()]);
  return { client, messages };
}

const isLoaded = ({ messages }: Opened) => signalUntil(messages.older, (state) => state === 'none');

const contentsOf = ({ messages }: Opened) =>
  messages.entries.value.map((entry) => (entry.kind === 'message' ? entry.content : 'gap'));

const hasCount = (count: number) => (entries: readonly unknown[]) => entries.length === count;

test('[WC17] a message that is removed leaves the list at once, from whatever source it came', async () => {
  await using scripted = startScriptedLobby();
  scripted.history.push(scriptedMessage(2), scriptedMessage(1));
  const opened = await open(scripted);
  await using _client = opened.client;
  using messages = opened.messages;
  const removed: string[] = [];
  messages.onRemoval(({ content }) => removed.push(content));
  await isLoaded(opened);
  scripted.emit('MESSAGE_CREATE', { ...scriptedMessage(3), nonce: 'own 3' });
  scripted.emit('MESSAGE_CREATE', scriptedMessage(4));
  for (const id of ['1', '3', '99']) scripted.emit('MESSAGE_DELETE', { id });
  scripted.emit('MESSAGE_CREATE', scriptedMessage(5));
  await signalUntil(messages.entries, (entries) => entries.at(-1)?.key === '5');
  expect(contentsOf(opened)).toEqual(['no. 2', 'no. 4', 'no. 5']);
  expect(removed).toEqual(['no. 1', 'no. 3']);
});

test('[WC17] a page that is still loading does not restore what was removed or changed meanwhile', async () => {
  await using scripted = startScriptedLobby();
  const newest = Array.from({ length: HISTORY_PAGE.max }, (_, index) =>
    scriptedMessage(200 - index),
  );
  scripted.history.push(...newest);
  const answer = Promise.withResolvers<void>();
  const opened = await open(scripted, {
    fetch: async (input, init) => {
      if (!input.includes('before=')) return fetch(input, init);
      await answer.promise;
      return Response.json([3, 2, 1].map(scriptedMessage));
    },
  });
  await using _client = opened.client;
  using messages = opened.messages;
  await signalUntil(messages.older, (state) => state === 'more');
  const loaded = messages.loadOlder();
  scripted.emit('MESSAGE_DELETE', { id: '3' });
  scripted.emit('MESSAGE_UPDATE', { ...scriptedMessage(2), content: 'changed' });
  scripted.emit('MESSAGE_CREATE', scriptedMessage(201));
  await signalUntil(messages.entries, hasCount(newest.length + 1));
  answer.resolve();
  await loaded;
  expect(contentsOf(opened).slice(0, 3)).toEqual(['no. 1', 'changed', 'no. 101']);
});

test('[WC17] a page that is still loading gets the reactions that come meanwhile, and no change that is older than it', async () => {
  await using scripted = startScriptedLobby();
  const newest = Array.from({ length: HISTORY_PAGE.max }, (_, index) =>
    scriptedMessage(200 - index),
  );
  scripted.history.push(...newest);
  const answer = Promise.withResolvers<void>();
  const mine = { emoji: '👍', count: 1, mine: true };
  const opened = await open(scripted, {
    fetch: async (input, init) => {
      if (!input.includes('before=')) return fetch(input, init);
      await answer.promise;
      const changed = { ...scriptedMessage(1), content: 'changed again', version: 3 };
      const page = [{ ...scriptedMessage(3), reactions: [mine] }, scriptedMessage(2), changed];
      return Response.json(page);
    },
  });
  await using _client = opened.client;
  using messages = opened.messages;
  await signalUntil(messages.older, (state) => state === 'more');
  const loaded = messages.loadOlder();
  const liked = { emoji: '👍', count: 1, user_id: '7', version: 2 };
  scripted.emit('REACTION_ADD', { id: '2', ...liked });
  scripted.emit('MESSAGE_UPDATE', { ...scriptedMessage(1), content: 'changed', version: 2 });
  const reactions = [{ emoji: '👍', count: 1 }];
  scripted.emit('MESSAGE_UPDATE', { ...scriptedMessage(3), content: 'new', version: 2, reactions });
  scripted.emit('MESSAGE_CREATE', scriptedMessage(201));
  await signalUntil(messages.entries, hasCount(newest.length + 1));
  answer.resolve();
  await loaded;
  const [first, second, third] = messages.entries.value;
  expect(first).toMatchObject({ content: 'changed again', version: 3 });
  expect(second).toMatchObject({ reactions: [{ emoji: '👍', count: 1 }], version: 2 });
  expect(third).toMatchObject({ content: 'new', reactions: [mine] });
});

test('[WC17][WC17a] a message that is changed keeps its place and its key', async () => {
  await using scripted = startScriptedLobby();
  const opened = await open(scripted);
  await using _client = opened.client;
  using messages = opened.messages;
  scripted.emit('MESSAGE_CREATE', { ...scriptedMessage(1), nonce: 'own 1' });
  scripted.emit('MESSAGE_UPDATE', { ...scriptedMessage(1), content: 'changed' });
  scripted.emit('MESSAGE_CREATE', scriptedMessage(2));
  await signalUntil(messages.entries, hasCount(2));
  expect(contentsOf(opened)).toEqual(['changed', 'no. 2']);
  expect(messages.entries.value[0]).toMatchObject({ key: 'own 1', isOwn: true });
});

test('[WC17] a removed message is no longer unread', async () => {
  await using scripted = startScriptedLobby();
  const opened = await open(scripted);
  await using _client = opened.client;
  using messages = opened.messages;
  scripted.emit('MESSAGE_CREATE', scriptedMessage(1));
  await signalUntil(messages.unread, (unread) => unread === 1);
  messages.markRead();
  for (const number of [2, 3]) scripted.emit('MESSAGE_CREATE', scriptedMessage(number));
  for (const id of ['1', '3']) scripted.emit('MESSAGE_DELETE', { id });
  await signalUntil(messages.entries, (entries) => entries.every(({ key }) => key === '2'));
  expect([contentsOf(opened), messages.unread.value]).toEqual([['no. 2'], 1]);
});

test('[WC17] a message that is removed before the gateway is open leaves the list when it is', async () => {
  await using scripted = startScriptedLobby();
  scripted.history.push(...[3, 2, 1].map(scriptedMessage));
  await using client = createClient(await (await fetch(scripted.url)).json());
  using messages = new MessageStore(lobbySource(client), { isOwnNonce: () => false });
  messages.start();
  await signalUntil(messages.older, (state) => state === 'none');
  expect(messages.entries.value).toHaveLength(3);
  scripted.history.splice(1, 1);
  await scripted.greet();
  const left = await signalUntil(messages.entries, hasCount(2));
  expect(left.map(({ key }) => key)).toEqual(['1', '3']);
});
