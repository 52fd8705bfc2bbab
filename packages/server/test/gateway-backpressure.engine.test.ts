import { expect, test } from 'bun:test';
import { fakeClock } from '@hearth/testing/fake-clock';
import { GatewayClient } from '@hearth/testing/clients/gateway-client';
import { postMessage } from '@hearth/testing/clients/post-message';
import { startTestInstance } from '@hearth/testing/instances/test-instance';
import {
  PONG,
  SERVER_ERROR,
  MESSAGES,
  settings,
  content,
  events,
  postMany,
  connectDeaf,
  fillWithPongs,
} from './support/backpressure.ts';

test('[GW17][GW18][GW19] a slow reader gets an unbroken sequence and then 1011 "Server error"; others get everything', async () => {
  await using instance = await startTestInstance({ toml: settings('64KiB') });
  const reader = await GatewayClient.connect(instance.addresses.gateway);
  using slow = await connectDeaf(instance);
  await postMany(instance, MESSAGES);
  await reader.until(() => reader.received.length === MESSAGES);
  expect(reader.received).toEqual(events(MESSAGES));
  // The gateway is already closing it, so it gets no answer.
  slow.sendText('{"op":"PING"}');
  await reader.ping();
  slow.readOn();
  await slow.ended;
  expect(slow.closed).toEqual(SERVER_ERROR);
  expect(slow.texts.length).toBeGreaterThan(0);
  expect(slow.texts.length).toBeLessThan(MESSAGES);
  expect(slow.texts).toEqual(events(slow.texts.length));
});

test('[GW17][GW18] the same holds when many messages are posted at once', async () => {
  await using instance = await startTestInstance({ toml: settings('1MiB') });
  const reader = await GatewayClient.connect(instance.addresses.gateway);
  using slow = await connectDeaf(instance);
  for (let posted = 0; posted < MESSAGES; posted += 10) {
    const contents = Array.from({ length: 10 }, (_, index) => content(posted + index));
    await Promise.all(contents.map((each) => postMessage(instance, each)));
  }
  await reader.until(() => reader.received.length === MESSAGES);
  slow.readOn();
  await slow.ended;
  expect(slow.closed).toEqual(SERVER_ERROR);
  expect(slow.texts.length).toBeLessThan(MESSAGES);
  expect(slow.texts).toEqual(reader.received.slice(0, slow.texts.length));
});

test('[GW18] a slow reader has half a minute to read its close; one that never reads is cut after that', async () => {
  const clock = fakeClock();
  await using instance = await startTestInstance({ toml: settings('64KiB'), clock });
  using late = await connectDeaf(instance);
  using never = await connectDeaf(instance);
  await postMany(instance, MESSAGES);
  clock.advance(29_500);
  await postMessage(instance, 'too late for these');
  late.readOn();
  await late.ended;
  expect(late.closed).toEqual(SERVER_ERROR);
  clock.advance(1_500);
  never.readOn();
  await never.ended;
  expect(never.closed).toBeUndefined();
  for (const { texts } of [late, never]) expect(texts).toEqual(events(texts.length));
});

test('[GW18] a client that sends PING after PING and never reads is closed, even if no message is posted', async () => {
  const clock = fakeClock();
  await using instance = await startTestInstance({ toml: settings('64KiB'), clock });
  const other = await GatewayClient.connect(instance.addresses.gateway);
  using slow = await connectDeaf(instance);
  await fillWithPongs(slow, other);
  clock.advance(500);
  await other.ping();
  slow.readOn();
  await slow.ended;
  expect(slow.closed).toEqual(SERVER_ERROR);
  expect(new Set(slow.texts)).toEqual(new Set([PONG]));
});
