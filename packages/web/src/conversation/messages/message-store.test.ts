import { createClient, type Client, type InstanceInfo } from '@hearth/sdk';
import { describe, expect, test } from 'bun:test';
import { postMessage } from '@hearth/testing/clients/post-message';
import { startTestInstance, type TestInstance } from '@hearth/testing/instances/test-instance';
import { signalUntil } from '../../../test/support/signal-until.ts';
import { TcpRelay } from '@hearth/testing/servers/tcp-relay';
import type { MessageEntry } from './entry.ts';
import { Lobby } from './message-store.ts';

const isOwnNonce = (nonce: string) => nonce.startsWith('own');

async function infoOf({ addresses }: TestInstance): Promise<InstanceInfo> {
  return (await fetch(addresses.rest)).json();
}

function open(client: Client): Lobby {
  const lobby = new Lobby(client, { isOwnNonce });
  lobby.start();
  return lobby;
}

async function post(instance: TestInstance, contents: readonly string[]): Promise<void> {
  for (const content of contents) await postMessage(instance, content);
}

const numbered = (count: number, word = 'message') =>
  Array.from({ length: count }, (_, index) => `${word} ${index}`);

const contentsOf = ({ entries }: Lobby) =>
  entries.value.map((entry) => (entry.kind === 'message' ? entry.content : 'gap'));

const hasCount = (count: number) => (entries: readonly unknown[]) => entries.length >= count;

describe('the lobby', () => {
  test('has earlier messages, page by page, and new ones, each once and in order', async () => {
    await using instance = await startTestInstance();
    await post(instance, numbered(230));
    await using client = createClient(await infoOf(instance));
    using lobby = open(client);
    await post(instance, numbered(30, 'live'));
    for (let state = 'loading'; state !== 'none';) {
      state = await signalUntil(lobby.older, (now) => now !== 'loading');
      await lobby.loadOlder();
    }
    await signalUntil(lobby.entries, hasCount(260));
    expect(contentsOf(lobby)).toEqual([...numbered(230), ...numbered(30, 'live')]);
  });

  test('has the messages posted between the request for the history and the opening of the gateway', async () => {
    await using instance = await startTestInstance();
    await post(instance, ['before']);
    const info = await infoOf(instance);
    await using line = await TcpRelay.to(Number(new URL(info.pandemonium_url).port));
    line.hold();
    await using client = createClient({
      ...info,
      pandemonium_url: `ws://127.0.0.1:${line.port}`,
    });
    using lobby = open(client);
    await signalUntil(lobby.older, (state) => state === 'none');
    await post(instance, numbered(150, 'between'));
    expect(contentsOf(lobby)).toEqual(['before']);
    line.mend();
    await signalUntil(lobby.entries, hasCount(151));
    expect(contentsOf(lobby)).toEqual(['before', ...numbered(150, 'between')]);
  });

  test('recognises its own messages by their nonce, and notifies its listeners', async () => {
    await using instance = await startTestInstance();
    await using client = createClient(await infoOf(instance));
    using lobby = open(client);
    const heard: MessageEntry[] = [];
    lobby.onMessage((entry) => heard.push(entry));
    await client.open();
    await client.send({ author: 'Mira', content: 'mine', nonce: 'own 1' });
    await client.send({ author: 'Mira', content: 'not mine', nonce: 'other' });
    await signalUntil(lobby.entries, hasCount(2));
    expect(heard.map(({ content, isOwn }) => [content, isOwn])).toEqual([
      ['mine', true],
      ['not mine', false],
    ]);
    expect(lobby.entries.value[0]?.key).toBe('own 1');
  });

  test("counts others' messages as unread while nobody looks", async () => {
    await using instance = await startTestInstance();
    await using client = createClient(await infoOf(instance));
    using lobby = open(client);
    await client.open();
    await client.send({ author: 'Mira', content: 'mine', nonce: 'own 1' });
    await post(instance, ['one', 'two']);
    await signalUntil(lobby.entries, hasCount(3));
    expect(lobby.unread.value).toBe(2);
    lobby.setRead(true);
    expect(lobby.unread.value).toBe(0);
    await post(instance, ['three']);
    await signalUntil(lobby.entries, hasCount(4));
    expect(lobby.unread.value).toBe(0);
    lobby.setRead(false);
    await post(instance, ['four']);
    await signalUntil(lobby.entries, hasCount(5));
    expect(lobby.unread.value).toBe(1);
  });

  test('that fails to load reports it, and loads on request', async () => {
    await using instance = await startTestInstance();
    await post(instance, ['before']);
    const info = await infoOf(instance);
    await using line = await TcpRelay.to(Number(new URL(info.oprish_url).port));
    line.cut();
    await using client = createClient({ ...info, oprish_url: `http://127.0.0.1:${line.port}` });
    const lobby = new Lobby(client, { isOwnNonce });
    await lobby.loadOlder();
    expect(lobby.older.value).toBe('failed');
    line.mend();
    await lobby.loadOlder();
    expect([lobby.older.value, contentsOf(lobby)]).toEqual(['none', ['before']]);
  });

  test('of a server without a history has only the messages from now on', async () => {
    await using instance = await startTestInstance();
    await post(instance, ['before']);
    const info = { ...(await infoOf(instance)), version: '0.3.2' };
    await using client = createClient(info);
    using lobby = open(client);
    await client.open();
    await post(instance, ['now', 'now']);
    await signalUntil(lobby.entries, hasCount(2));
    expect([lobby.older.value, contentsOf(lobby)]).toEqual(['unavailable', ['now', 'now']]);
  });
});
