import { postMessage } from '@hearth/testing/clients/post-message';
import { removeAsOwner } from '@hearth/testing/instances/remove-as-owner';
import {
  GENEROUS_LIMITS,
  startTestInstance,
  type TestInstance,
} from '@hearth/testing/instances/test-instance';
import { TcpRelay } from '@hearth/testing/servers/tcp-relay';
import { until } from '@hearth/testing/until';
import { expect, test } from 'bun:test';
import { connect, type Client, type Id, type ReceivedMessage } from '../src/index.ts';

/** The events that a client reported, and the way to cut it off. */
async function listen({ addresses }: TestInstance) {
  await using resources = new AsyncDisposableStack();
  const relay = resources.use(await TcpRelay.to(Number(new URL(addresses.gateway).port)));
  const { info } = resources.use(await connect(addresses.rest));
  const pandemonium_url = `ws://127.0.0.1:${relay.port}`;
  const client = resources.use(
    await connect(addresses.rest, { info: { ...info, pandemonium_url } }),
  );
  const messages: ReceivedMessage[] = [];
  const deleted: Id[] = [];
  client.on('message', (message) => void messages.push(message));
  client.on('messageDelete', ({ id }) => void deleted.push(id));
  await client.open();
  const owned = resources.move();
  return {
    ...{ client, relay, messages, deleted },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

const isOpen = (client: Client) => async () => client.connection.state === 'open';

test('[LB24] a client learns at once that the owner has removed a message', async () => {
  await using instance = await startTestInstance();
  await using one = await listen(instance);
  await postMessage(instance, 'spam');
  await postMessage(instance, 'ham');
  await until(async () => one.messages.length === 2);
  await removeAsOwner(instance, one.messages[0]?.id);
  await until(async () => one.deleted.length === 1);
  await postMessage(instance, 'more');
  await until(async () => one.messages.length === 3);
  expect(one.deleted.map(String)).toEqual([String(one.messages[0]?.id)]);
});

test.each([
  ['a moment', 10_000],
  ['longer than events are kept', 1],
])('[LB24] a client that was away for %s learns what was removed meanwhile', async (_, events) => {
  const toml = GENEROUS_LIMITS.replace(
    '[pandemonium]',
    `[pandemonium]\nreplay = { events = ${events} }`,
  );
  await using instance = await startTestInstance({ toml });
  await using one = await listen(instance);
  for (const content of ['ham', 'spam']) await postMessage(instance, content);
  await until(async () => one.messages.length === 2);
  one.relay.cut();
  await until(async () => one.client.connection.state !== 'open');
  await using witness = await listen(instance);
  await removeAsOwner(instance, one.messages[1]?.id);
  await until(async () => witness.deleted.length === 1);
  for (const content of ['one', 'two', 'three']) await postMessage(instance, content);
  one.relay.mend();
  await until(isOpen(one.client));
  await until(async () => one.messages.length === 5);
  await until(async () => one.deleted.length === 1);
  expect(one.deleted.map(String)).toEqual([String(one.messages[1]?.id)]);
  expect(one.messages.map(({ content }) => content)).toEqual([
    'ham',
    'spam',
    'one',
    'two',
    'three',
  ]);
});
