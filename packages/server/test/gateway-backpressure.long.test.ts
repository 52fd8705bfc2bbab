import { expect, test } from 'bun:test';
import { ClientFleet, FLEET_SIZE, sequenceName } from '@hearth/testing/clients/client-fleet';
import { fakeClock } from '@hearth/testing/fake-clock';
import { GatewayClient } from '@hearth/testing/clients/gateway-client';
import { postMessage } from '@hearth/testing/clients/post-message';
import type { RawSocket } from '@hearth/testing/clients/raw-socket';
import { startTestInstance } from '@hearth/testing/instances/test-instance';
import {
  PONG,
  SERVER_ERROR,
  MESSAGES,
  settings,
  events,
  postMany,
  connectDeaf,
  fillWithPongs,
} from './support/backpressure.ts';

test('[GW17][GW18] a reader that pauses while less waits for it than send_buffer stays and misses nothing', async () => {
  const clock = fakeClock();
  await using instance = await startTestInstance({ toml: settings('32MiB'), clock });
  using slow = await connectDeaf(instance);
  // More than the runtime would buffer by default.
  await postMany(instance, 2 * MESSAGES);
  clock.advance(10_000);
  slow.readOn();
  await slow.until(() => slow.frames.length === 2 * MESSAGES);
  expect(slow.texts).toEqual(events(2 * MESSAGES));
  slow.sendText('{"op":"PING"}');
  await slow.until(() => slow.texts.at(-1) === PONG);
});

test('[GW21] clients that never read are closed when too much waits for all of them, and others get everything', async () => {
  const clock = fakeClock();
  const total = 'send_buffer_total = "16MiB"';
  const toml = settings('64MiB').replace('[pandemonium]', `[pandemonium]\n${total}`);
  await using instance = await startTestInstance({ toml, clock });
  const reader = await GatewayClient.connect(instance.addresses.gateway);
  using deaf = new DisposableStack();
  const sockets: RawSocket[] = [];
  for (let count = 0; count < 4; count += 1) {
    sockets.push(deaf.use(await connectDeaf(instance)));
  }
  await postMany(instance, 2 * MESSAGES);
  await reader.until(() => reader.received.length === 2 * MESSAGES);
  expect(reader.received).toEqual(events(2 * MESSAGES));
  for (const socket of sockets) socket.readOn();
  const isWhole = ({ texts }: RawSocket) => texts.length === 2 * MESSAGES;
  const ended = await Promise.all(
    sockets.map((socket) =>
      Promise.race([
        socket.ended.then(() => 'closed'),
        socket.until(() => isWhole(socket)).then(() => 'stays'),
      ]),
    ),
  );
  expect(ended).toContain('closed');
  for (const { texts } of sockets) expect(texts).toEqual(events(texts.length));
});

test('[GW3][GW17][GW18][GW19] a few of 2,000 sockets that never read cost no other socket a message', async () => {
  const clock = fakeClock();
  await using instance = await startTestInstance({ toml: settings('64KiB'), clock });
  await using fleet = await ClientFleet.connect(instance.addresses.gateway, FLEET_SIZE);
  const reference = await GatewayClient.connect(instance.addresses.gateway);
  using slow = await connectDeaf(instance);
  using never = await connectDeaf(instance);
  for (const socket of [slow, never]) await fillWithPongs(socket, reference);
  const messages = () => reference.received.filter((text) => text !== PONG);
  const postToAll = async (count: number) => {
    const contents = Array.from({ length: count }, (_, index) => `${index} `.padEnd(2_000, 'x'));
    await Promise.all(contents.map((each) => postMessage(instance, each)));
  };
  await postToAll(50);
  clock.advance(500);
  await postToAll(50);
  slow.readOn();
  await slow.ended;
  expect(slow.closed).toEqual(SERVER_ERROR);
  clock.advance(31_000);
  await postToAll(50);
  await reference.until(() => messages().length === 150);
  const all = messages().reduce(sequenceName, '');
  expect(await fleet.received(150)).toEqual({ [all]: FLEET_SIZE });
  const slowMessages = slow.texts.filter((text) => text !== PONG);
  expect(slowMessages).toEqual(messages().slice(0, slowMessages.length));
  never.readOn();
  await never.ended;
  expect(never.closed).toBeUndefined();
});
