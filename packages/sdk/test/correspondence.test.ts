import { afterAll, beforeAll, expect, test } from 'bun:test';
import { startDocumentedServer } from '@hearth/testing/clients/documented-server';
import { scriptedMessage, startScriptedLobby } from '@hearth/testing/clients/scripted-lobby';
import { isCurrent, witnessOf } from '@hearth/testing/clients/witness';
import {
  GENEROUS_LIMITS,
  startTestInstance,
  type TestInstance,
} from '@hearth/testing/instances/test-instance';
import { connect, createClient, ValidationError } from '../src/index.ts';
import { cuttableClient } from './support/cuttable-client.ts';

let instance: TestInstance;

beforeAll(async () => {
  instance = await startTestInstance({ toml: GENEROUS_LIMITS });
});

afterAll(async () => {
  await instance[Symbol.asyncDispose]();
});

test('[SK4] the author of a client is that of its messages, unless they name one', async () => {
  await using server = startDocumentedServer();
  await using client = await connect(server.url, { author: 'ada' });
  expect(client.author).toBe('ada');
  await client.send('hello');
  await client.send({ content: 'hello' });
  await client.send({ author: 'bob', content: 'hello' });
  const authors = ['ada', 'ada', 'bob'];
  expect(server.bodies).toEqual(authors.map((author) => ({ author, content: 'hello' })));
});

test('[SK4] a message without any author is not sent', async () => {
  await using server = startDocumentedServer();
  await using client = await connect(server.url);
  const error = await client.send('hello').catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(TypeError);
  expect(server.bodies).toEqual([]);
});

test('[SK5] a client knows its own messages from those of others with its name', async () => {
  const { rest } = instance.addresses;
  await using one = await connect(rest, { author: 'ada' });
  await using other = await connect(rest, { author: 'ada' });
  const seen = [one, other].map((client) => witnessOf(client));
  await Promise.all([one.open(), other.open()]);
  await one.send('hello');
  await other.send('hello');
  await one.send({ content: 'with a nonce', nonce: 'mine' });
  for (const witness of seen) await witness.until(() => witness.messages.length === 3);
  expect(seen.map(({ messages }) => messages.map(({ isOwn }) => isOwn))).toEqual([
    [true, false, true],
    [false, true, false],
  ]);
  expect(seen[1]?.messages[2]?.nonce).toBe('mine');
});

test.each([
  ['resumed', 10_000],
  ['read from the history', 0],
])('[SK5][SK6] a message that is %s after a reconnection is still own', async (_how, events) => {
  const toml = `${GENEROUS_LIMITS}[pandemonium.replay]\nevents = ${events}\n`;
  await using own = await startTestInstance({ toml });
  await using broken = await cuttableClient(own, { author: 'ada' });
  await using other = await connect(own.addresses.rest, { author: 'ada' });
  const { client, cutter } = broken;
  const witness = witnessOf(client);
  await client.open();
  cutter.refuse(true);
  cutter.cut();
  await witness.until(() => client.connection.state === 'waiting');
  await client.send('mine');
  await other.send('not mine');
  cutter.refuse(false);
  client.gateway.reconnectNow();
  await witness.until(() => isCurrent(client) && witness.messages.length === 2);
  await client.send('and later');
  await witness.until(() => witness.messages.length === 3);
  expect(
    witness.messages.map(({ content, isOwn, isRecovered }) => [content, isOwn, isRecovered]),
  ).toEqual([
    ['mine', true, events === 0 ? true : undefined],
    ['not mine', false, events === 0 ? true : undefined],
    ['and later', true, undefined],
  ]);
});

test('[SK5] a message that was refused is not own if somebody else posts it', async () => {
  const { rest } = instance.addresses;
  await using client = await connect(rest, { author: 'a' });
  const witness = witnessOf(client);
  await client.open();
  const nonce = 'the same';
  const error = await client.send({ content: 'x', nonce }).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(ValidationError);
  await using other = await connect(rest, { author: 'ada' });
  await other.send({ content: 'x', nonce });
  await witness.until(() => witness.messages.length === 1);
  expect(witness.messages[0]?.isOwn).toBe(false);
});

test('[SK5] an own message that changes is still own', async () => {
  await using lobby = startScriptedLobby();
  // The event may come before the answer.
  const answer = Promise.withResolvers<Response>();
  await using client = await connect(lobby.url, {
    author: 'ada',
    fetch: (url, init) => (init?.method === 'POST' ? answer.promise : globalThis.fetch(url, init)),
  });
  const updated: unknown[] = [];
  client.on('messageUpdate', ({ content, isOwn }) => updated.push([content, isOwn]));
  const witness = witnessOf(client);
  await Promise.all([client.open(), lobby.greet()]);
  const request = client.send({ content: 'no. 1', nonce: 'mine' });
  lobby.emit('MESSAGE_CREATE', { ...scriptedMessage(1), nonce: 'mine' });
  lobby.emit('MESSAGE_CREATE', scriptedMessage(2));
  await witness.until(() => witness.messages.length === 2);
  answer.resolve(Response.json({ author: 'ada', content: 'no. 1' }));
  await request;
  for (const number of [1, 2]) {
    lobby.emit('MESSAGE_UPDATE', { ...scriptedMessage(number), content: `changed ${number}` });
  }
  lobby.emit('MESSAGE_CREATE', scriptedMessage(3));
  await witness.until(() => witness.messages.length === 3);
  expect(updated).toEqual([
    ['changed 1', true],
    ['changed 2', false],
  ]);
});

test('[SK6] a documented instance sends own messages back, too', async () => {
  await using server = startDocumentedServer();
  await using client = await connect(server.url, { author: 'ada' });
  const messages = client.messages();
  await client.open();
  server.push('{"op":"MESSAGE_CREATE","d":{"author":"ada","content":"by another ada"}}');
  expect((await messages.next()).value?.isOwn).toBe(false);
  await client.send('hello');
  server.push('{"op":"MESSAGE_CREATE","d":{"author":"ada","content":"hello"}}');
  expect((await messages.next()).value?.isOwn).toBe(true);
  expect((await messages.next()).value?.isOwn).toBe(false);
});

test('[SK7] a reply quotes its message, with a link if the web client is known', async () => {
  const { rest } = instance.addresses;
  const webUrl = 'https://chat.example.org';
  await using client = await connect(rest, { author: 'bot', webUrl });
  await using plain = await connect(rest, { author: 'ada' });
  const messages = client.messages();
  await client.open();
  await plain.send('good *evening*');
  const { value: message } = await messages.next();
  await message?.reply('hello');
  const url = `${webUrl}/lobby/${message?.id ?? ''}`;
  const content = `> [ada](${url}): good evening\n\nhello`;
  const { value: reply } = await messages.next();
  expect(reply).toMatchObject({ author: 'bot', content });
  expect(reply?.isOwn).toBe(true);

  const [newest] = await plain.rest.listMessages({ limit: 1 });
  if (newest === undefined) throw new Error('a message');
  expect(await plain.reply(newest, { author: 'eve', content: 'and I' })).toEqual({
    author: 'eve',
    content: '> **bot**: hello\n\nand I',
  });
});

test('[SK9] a reply fits into the limit of its instance', async () => {
  await using server = startDocumentedServer();
  const { info } = await connect(server.url);
  await using client = createClient({ ...info, message_limit: 20 }, { author: 'ada' });
  await client.reply({ author: 'bob', content: 'a long message' }, 'short');
  await client.reply({ author: 'bob', content: 'a long message' }, 'not as short');
  expect(server.bodies).toEqual([
    { author: 'ada', content: '> **bob**\n\nshort' },
    { author: 'ada', content: 'not as short' },
  ]);
});

test('[SK5] a copy and the JSON of a message have only what the instance sent', async () => {
  await using server = startDocumentedServer();
  await using client = await connect(server.url, { author: 'ada' });
  const messages = client.messages();
  await client.open();
  await client.send('hello');
  const { value: message } = await messages.next();
  const sent = { author: 'ada', content: 'hello' };
  expect(JSON.parse(JSON.stringify(message))).toEqual(sent);
  expect(Object.keys({ ...message })).toEqual(['author', 'content']);
});
