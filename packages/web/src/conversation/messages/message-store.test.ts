import { createClient, type Client, type InstanceInfo } from '@hearth/sdk';
import { describe, expect, test } from 'bun:test';
import { postMessage } from '@hearth/testing/clients/post-message';
import { startTestInstance, type TestInstance } from '@hearth/testing/instances/test-instance';
import { signalUntil } from '../../../test/support/signal-until.ts';
import { lobbySource } from '../../lobby/lobby-source.ts';
import { TcpRelay } from '@hearth/testing/servers/tcp-relay';
import type { MessageEntry } from './entry.ts';
import { MessageStore } from './message-store.ts';

const isOwnNonce = (nonce: string) => nonce.startsWith('own');

async function infoOf({ addresses }: TestInstance): Promise<InstanceInfo> {
  return (await fetch(addresses.rest)).json();
}

function open(client: Client): MessageStore {
  const messages = new MessageStore(lobbySource(client), { isOwnNonce });
  messages.start();
  return messages;
}

async function post(instance: TestInstance, contents: readonly string[]): Promise<void> {
  for (const content of contents) await postMessage(instance, content);
}

const numbered = (count: number, word = 'message') =>
  Array.from({ length: count }, (_, index) => `${word} ${index}`);

const contentsOf = ({ entries }: MessageStore) =>
  entries.value.map((entry) => (entry.kind === 'message' ? entry.content : 'gap'));

const hasCount = (count: number) => (entries: readonly unknown[]) => entries.length >= count;

describe('a conversation', () => {
  test('a conversation has earlier messages, page by page, and new ones, each once and in order', async () => {
    await using instance = await startTestInstance();
    await post(instance, numbered(230));
    await using client = createClient(await infoOf(instance));
    using messages = open(client);
    await post(instance, numbered(30, 'live'));
    for (let state = 'loading'; state !== 'none';) {
      state = await signalUntil(messages.older, (now) => now !== 'loading');
      await messages.loadOlder();
    }
    await signalUntil(messages.entries, hasCount(260));
    expect(contentsOf(messages)).toEqual([...numbered(230), ...numbered(30, 'live')]);
  });

  test('a conversation has the messages posted between the request for the history and the opening of the gateway', async () => {
    await using instance = await startTestInstance();
    await post(instance, ['before']);
    const info = await infoOf(instance);
    await using line = await TcpRelay.to(Number(new URL(info.pandemonium_url).port));
    line.hold();
    await using client = createClient({
      ...info,
      pandemonium_url: `ws://127.0.0.1:${line.port}`,
    });
    using messages = open(client);
    await signalUntil(messages.older, (state) => state === 'none');
    await post(instance, numbered(150, 'between'));
    expect(contentsOf(messages)).toEqual(['before']);
    line.mend();
    await signalUntil(messages.entries, hasCount(151));
    expect(contentsOf(messages)).toEqual(['before', ...numbered(150, 'between')]);
  });

  test('a conversation recognises its own messages by their nonce, and notifies its listeners', async () => {
    await using instance = await startTestInstance();
    await using client = createClient(await infoOf(instance));
    using messages = open(client);
    const heard: MessageEntry[] = [];
    messages.onMessage((entry) => heard.push(entry));
    await client.open();
    await client.send({ author: 'Mira', content: 'mine', nonce: 'own 1' });
    await client.send({ author: 'Mira', content: 'not mine', nonce: 'other' });
    await signalUntil(messages.entries, hasCount(2));
    expect(heard.map(({ content, isOwn }) => [content, isOwn])).toEqual([
      ['mine', true],
      ['not mine', false],
    ]);
    expect(messages.entries.value[0]?.key).toBe('own 1');
  });

  test("others' messages are counted as unread while nobody looks", async () => {
    await using instance = await startTestInstance();
    await using client = createClient(await infoOf(instance));
    using messages = open(client);
    await client.open();
    await client.send({ author: 'Mira', content: 'mine', nonce: 'own 1' });
    await post(instance, ['one', 'two']);
    await signalUntil(messages.entries, hasCount(3));
    expect(messages.unread.value).toBe(2);
    messages.setRead(true);
    expect(messages.unread.value).toBe(0);
    await post(instance, ['three']);
    await signalUntil(messages.entries, hasCount(4));
    expect(messages.unread.value).toBe(0);
    messages.setRead(false);
    await post(instance, ['four']);
    await signalUntil(messages.entries, hasCount(5));
    expect(messages.unread.value).toBe(1);
  });

  test('that fails to load reports it, and loads on request', async () => {
    await using instance = await startTestInstance();
    await post(instance, ['before']);
    const info = await infoOf(instance);
    await using line = await TcpRelay.to(Number(new URL(info.oprish_url).port));
    line.cut();
    await using client = createClient({ ...info, oprish_url: `http://127.0.0.1:${line.port}` });
    const messages = new MessageStore(lobbySource(client), { isOwnNonce });
    await messages.loadOlder();
    expect(messages.older.value).toBe('failed');
    line.mend();
    await messages.loadOlder();
    expect([messages.older.value, contentsOf(messages)]).toEqual(['none', ['before']]);
  });

  test('a conversation of a server without a history has only the messages from now on', async () => {
    await using instance = await startTestInstance();
    await post(instance, ['before']);
    const info = { ...(await infoOf(instance)), version: '0.3.2' };
    await using client = createClient(info);
    using messages = open(client);
    await client.open();
    await post(instance, ['now', 'now']);
    await signalUntil(messages.entries, hasCount(2));
    expect([messages.older.value, contentsOf(messages)]).toEqual(['unavailable', ['now', 'now']]);
  });
});
