import { expect, test } from 'bun:test';
import { fakeClock, type FakeClock } from '@hearth/testing/fake-clock';
import { GatewayClient } from '@hearth/testing/clients/gateway-client';
import { eventOf, postMessage } from '@hearth/testing/clients/post-message';
import { RawSocket } from '@hearth/testing/clients/raw-socket';
import { startTestInstance, type TestInstance } from '@hearth/testing/instances/test-instance';
import { OPCODES } from '@hearth/testing/clients/web-socket-frames';

const DEAD = { code: 1011, reason: 'Client connection dead' };
const STEP_MS = 100;

/** Posts the time after every step, so that each client's last message shows when its connection ended. */
async function tickAloud(instance: TestInstance, clock: FakeClock, ms: number): Promise<void> {
  for (let left = ms; left > 0; left -= STEP_MS) {
    clock.advance(STEP_MS);
    await postMessage(instance, String(clock.monotonicMs()));
    // What was dispatched in one turn of the event loop is sent in the next.
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/** When the connection of a client ended, by the last time it received. */
function endOf(client: GatewayClient): number {
  const times = client.received.flatMap((text) => /"content":"(\d+)"/.exec(text)?.[1] ?? []);
  return Number(times.at(-1)) + STEP_MS;
}

test('[GW9][GW10][GW12] however many sockets there are, each silent one is closed 47 to 49 s after it connected', async () => {
  const clock = fakeClock();
  await using instance = await startTestInstance({ clock });
  const clients: { readonly client: GatewayClient; readonly cameAt: number }[] = [];
  for (let phase = 0; phase < 12; phase += 1) {
    clock.advance(STEP_MS);
    for (let count = 0; count < 25; count += 1) {
      const client = await GatewayClient.connect(instance.addresses.gateway);
      clients.push({ client, cameAt: clock.monotonicMs() });
    }
  }
  clock.advance(45_000);
  await tickAloud(instance, clock, 5_000);
  for (const { client, cameAt } of clients) {
    expect(await client.closed).toEqual(DEAD);
    expect(endOf(client) - cameAt).toBeGreaterThanOrEqual(47_000);
    expect(endOf(client) - cameAt).toBeLessThanOrEqual(49_000);
  }
});

test('[GW9][GW10] the time until the close is the same after the last PING as after the connection', async () => {
  const clock = fakeClock();
  await using instance = await startTestInstance({ clock });
  const client = await GatewayClient.connect(instance.addresses.gateway);
  clock.advance(33_300);
  await client.ping();
  clock.advance(46_000);
  await tickAloud(instance, clock, 4_000);
  expect(await client.closed).toEqual(DEAD);
  expect(endOf(client)).toBeGreaterThanOrEqual(33_300 + 47_000);
  expect(endOf(client)).toBeLessThanOrEqual(33_300 + 49_000);
});

test.each([
  ['every 45 s', 45_000],
  ['every 44 s', 44_000],
  ['a little late every time', 45_100],
  ['as late as is forgiven', 47_000],
  ['every second', 1_000],
])('[GW9][GW10] a client that pings %s stays', async (_, everyMs) => {
  const clock = fakeClock();
  await using instance = await startTestInstance({ clock });
  const client = await GatewayClient.connect(instance.addresses.gateway);
  for (let time = 0; time < 900_000; time += everyMs) {
    // A moment less, because the time is up at exactly 47 s.
    clock.advance(everyMs - 1);
    await client.ping();
    clock.advance(1);
  }
  await postMessage(instance, 'still there?');
  await client.until(() => client.received.includes(eventOf('still there?')));
});

test('[GW11] neither other payloads nor frames of the WebSocket protocol keep a client connected', async () => {
  const clock = fakeClock();
  await using instance = await startTestInstance({ clock });
  using socket = await RawSocket.connect(instance.addresses.gateway);
  const signs: (() => void)[] = [
    () => socket.send(OPCODES.ping, 'alive'),
    () => socket.send(OPCODES.pong, 'alive'),
    () => socket.send(OPCODES.binary, '{"op":"PING"}'),
    () => socket.sendText('{"op":"ping"}'),
    () => socket.sendText(''),
    () => socket.send(OPCODES.text, '{"op":"PING"', { isFinal: false }),
  ];
  for (const sign of signs) {
    clock.advance(7_800);
    sign();
    // Its answer shows that the gateway has read what was sent before.
    socket.send(OPCODES.ping, `read ${clock.monotonicMs()}`);
    await socket.until(
      () => socket.frames.at(-1)?.payload.toString() === `read ${clock.monotonicMs()}`,
    );
  }
  expect(clock.monotonicMs()).toBe(46_800);
  clock.advance(2_200);
  await socket.ended;
  expect(socket.closed).toEqual(DEAD);
});

test('[GW11] the gateway sends no WebSocket pings and needs no pongs', async () => {
  const clock = fakeClock();
  await using instance = await startTestInstance({ clock });
  using socket = await RawSocket.connect(instance.addresses.gateway);
  for (let minute = 0; minute < 10; minute += 1) {
    for (let part = 0; part < 2; part += 1) {
      clock.advance(30_000);
      socket.sendText('{"op":"PING"}');
      await socket.until(() => socket.frames.length === minute * 2 + part + 1);
    }
  }
  expect(new Set(socket.texts)).toEqual(new Set(['{"op":"PONG"}']));
});

test('[GW9] what clients sent while the whole process was halted is read before their heartbeats are checked', async () => {
  const clock = fakeClock();
  await using instance = await startTestInstance({ clock });
  const [alive, silent] = await Promise.all([
    GatewayClient.connect(instance.addresses.gateway),
    GatewayClient.connect(instance.addresses.gateway),
  ]);
  alive.send('{"op":"PING"}');
  clock.halt(120_000);
  await alive.until(() => alive.received.length === 1);
  clock.advance(1_000);
  expect(await silent.closed).toEqual(DEAD);
  await alive.ping();
});

test('[GW9] a process that is always late still closes silent clients', async () => {
  const clock = fakeClock();
  await using instance = await startTestInstance({ clock });
  const client = await GatewayClient.connect(instance.addresses.gateway);
  for (let halt = 0; halt < 12; halt += 1) clock.halt(5_000);
  expect(await client.closed).toEqual(DEAD);
});
