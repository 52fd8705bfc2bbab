import { HISTORY_PAGE } from '@hearth/protocol';
import { createClient, type Client } from '@hearth/sdk';
import {
  scriptedMessage,
  startScriptedLobby,
  type ScriptedLobby,
} from '@hearth/testing/clients/scripted-lobby';
import { expect, test } from 'bun:test';
import { signalUntil } from '../../../test/support/signal-until.ts';
import { Lobby } from './message-store.ts';

interface Opened {
  readonly client: Client;
  readonly lobby: Lobby;
}

async function open(scripted: ScriptedLobby, options: Parameters<typeof createClient>[1] = {}) {
  const client = createClient(await (await fetch(scripted.url)).json(), options);
  const lobby = new Lobby(client, { isOwnNonce: (nonce) => nonce.startsWith('own') });
  lobby.start();
  await Promise.all([client.open(), scripted.greet()]);
  return { client, lobby };
}

const isLoaded = ({ lobby }: Opened) => signalUntil(lobby.older, (state) => state === 'none');

const contentsOf = ({ lobby }: Opened) =>
  lobby.entries.value.map((entry) => (entry.kind === 'message' ? entry.content : 'gap'));

const hasCount = (count: number) => (entries: readonly unknown[]) => entries.length === count;

test('[WC17] a message that is removed leaves the list at once, from whatever source it came', async () => {
  await using scripted = startScriptedLobby();
  scripted.history.push(scriptedMessage(2), scriptedMessage(1));
  const opened = await open(scripted);
  await using _client = opened.client;
  using lobby = opened.lobby;
  const removed: string[] = [];
  lobby.onRemoval(({ content }) => removed.push(content));
  await isLoaded(opened);
  scripted.emit('MESSAGE_CREATE', { ...scriptedMessage(3), nonce: 'own 3' });
  scripted.emit('MESSAGE_CREATE', scriptedMessage(4));
  for (const id of ['1', '3', '99']) scripted.emit('MESSAGE_DELETE', { id });
  scripted.emit('MESSAGE_CREATE', scriptedMessage(5));
  await signalUntil(lobby.entries, (entries) => entries.at(-1)?.key === '5');
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
  using lobby = opened.lobby;
  await signalUntil(lobby.older, (state) => state === 'more');
  const loaded = lobby.loadOlder();
  scripted.emit('MESSAGE_DELETE', { id: '3' });
  scripted.emit('MESSAGE_UPDATE', { ...scriptedMessage(2), content: 'changed' });
  scripted.emit('MESSAGE_CREATE', scriptedMessage(201));
  await signalUntil(lobby.entries, hasCount(newest.length + 1));
  answer.resolve();
  await loaded;
  expect(contentsOf(opened).slice(0, 3)).toEqual(['no. 1', 'changed', 'no. 101']);
});

test('[WC17] a message that is changed keeps its place and its key', async () => {
  await using scripted = startScriptedLobby();
  const opened = await open(scripted);
  await using _client = opened.client;
  using lobby = opened.lobby;
  scripted.emit('MESSAGE_CREATE', { ...scriptedMessage(1), nonce: 'own 1' });
  scripted.emit('MESSAGE_UPDATE', { ...scriptedMessage(1), content: 'changed' });
  scripted.emit('MESSAGE_CREATE', scriptedMessage(2));
  await signalUntil(lobby.entries, hasCount(2));
  expect(contentsOf(opened)).toEqual(['changed', 'no. 2']);
  expect(lobby.entries.value[0]).toMatchObject({ key: 'own 1', isOwn: true });
});

test('[WC17] a removed message is no longer unread', async () => {
  await using scripted = startScriptedLobby();
  const opened = await open(scripted);
  await using _client = opened.client;
  using lobby = opened.lobby;
  scripted.emit('MESSAGE_CREATE', scriptedMessage(1));
  await signalUntil(lobby.unread, (unread) => unread === 1);
  lobby.markRead();
  for (const number of [2, 3]) scripted.emit('MESSAGE_CREATE', scriptedMessage(number));
  for (const id of ['1', '3']) scripted.emit('MESSAGE_DELETE', { id });
  await signalUntil(lobby.entries, (entries) => entries.every(({ key }) => key === '2'));
  expect([contentsOf(opened), lobby.unread.value]).toEqual([['no. 2'], 1]);
});

test('[WC17] a message that is removed before the gateway is open leaves the list when it is', async () => {
  await using scripted = startScriptedLobby();
  scripted.history.push(...[3, 2, 1].map(scriptedMessage));
  await using client = createClient(await (await fetch(scripted.url)).json());
  using lobby = new Lobby(client, { isOwnNonce: () => false });
  lobby.start();
  await signalUntil(lobby.older, (state) => state === 'none');
  expect(lobby.entries.value).toHaveLength(3);
  scripted.history.splice(1, 1);
  await scripted.greet();
  const left = await signalUntil(lobby.entries, hasCount(2));
  expect(left.map(({ key }) => key)).toEqual(['1', '3']);
});
