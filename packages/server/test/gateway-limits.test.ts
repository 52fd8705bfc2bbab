import { describe, expect, test } from 'bun:test';
import { heapStats } from 'bun:jsc';
import { fakeClock } from '@hearth/testing/fake-clock';
import { GatewayClient } from '@hearth/testing/clients/gateway-client';
import { eventOf, postMessage } from '@hearth/testing/clients/post-message';
import { RawSocket, type HandshakeOptions } from '@hearth/testing/clients/raw-socket';
import { GENEROUS_LIMITS, startTestInstance } from '@hearth/testing/instances/test-instance';
import { OPCODES } from '@hearth/testing/clients/web-socket-frames';

const PING = '{"op":"PING"}';
const RATE_LIMITED = { code: 1011, reason: 'Client hit rate limit' };
const LARGEST = 64 * 1024;
const LARGEST_OF_RUNTIME = 1024 * 1024;

const limited = (limit: number) =>
  `[pandemonium]\nrate_limit = { reset_after = 10, limit = ${limit} }`;
const from = (address: string): HandshakeOptions => ({ headers: [`X-Forwarded-For: ${address}`] });
const behindProxy = { TRUSTED_PROXIES: '127.0.0.1' };

/** Proves that the connection still answers. */
async function expectAnswer(socket: RawSocket): Promise<void> {
  const before = socket.texts.length;
  socket.sendText(PING);
  await socket.until(() => socket.texts.length > before);
}

/** Counts the sockets of servers in memory, including those of other tests. */
function socketsKept(): number {
  Bun.gc(true);
  return heapStats().objectTypeCounts['ServerWebSocket'] ?? 0;
}

describe('connections', () => {
  test('[GW12][GW13][GW14] one connection too many completes its handshake and is closed with the documented text; the others stay open', async () => {
    await using instance = await startTestInstance({ toml: limited(3) });
    const url = instance.addresses.gateway;
    const clients = [];
    for (let count = 0; count < 3; count += 1) clients.push(await GatewayClient.connect(url));
    for (let count = 0; count < 2; count += 1) {
      using refused = await RawSocket.connect(url);
      expect(refused.head).toStartWith('HTTP/1.1 101 ');
      await refused.ended;
      expect(refused.frames).toHaveLength(1);
      expect(refused.closed).toEqual(RATE_LIMITED);
    }
    const refused = await GatewayClient.connect(url);
    expect(await refused.closed).toEqual(RATE_LIMITED);
    for (const client of clients) await client.ping();
  });

  test('[GW14] connections are counted per client address, with IPv6 per /64', async () => {
    await using instance = await startTestInstance({ toml: limited(1), env: behindProxy });
    const outcome = async (address: string) => {
      using socket = await RawSocket.connect(instance.addresses.gateway, from(address));
      socket.sendText(PING);
      await socket.until(() => socket.frames.length > 0);
      return socket.closed?.reason ?? 'open';
    };
    expect(await outcome('192.0.2.1')).toBe('open');
    expect(await outcome('192.0.2.2')).toBe('open');
    expect(await outcome('192.0.2.1')).toBe(RATE_LIMITED.reason);
    expect(await outcome('::ffff:192.0.2.2')).toBe(RATE_LIMITED.reason);
    expect(await outcome('2001:db8:0:1::1')).toBe('open');
    expect(await outcome('2001:db8:0:1:ffff::2')).toBe(RATE_LIMITED.reason);
    expect(await outcome('2001:db8:0:2::1')).toBe('open');
  });

  test('[GW14] the limit counts new connections in a window, not how many of one address are open', async () => {
    const clock = fakeClock();
    await using instance = await startTestInstance({ toml: limited(5), clock });
    const clients: GatewayClient[] = [];
    for (let window = 0; window < 20; window += 1) {
      for (let count = 0; count < 5; count += 1) {
        clients.push(await GatewayClient.connect(instance.addresses.gateway));
      }
      clock.advance(10_000);
      for (const client of clients) await client.ping();
    }
    await postMessage(instance, 'to all');
    const last = eventOf('to all');
    for (const client of clients) await client.until(() => client.received.includes(last));
    expect(clients.filter(({ received }) => received.at(-1) === last)).toHaveLength(100);
  });

  test('[GW13] a refused client may connect when the window is over', async () => {
    const clock = fakeClock();
    await using instance = await startTestInstance({ toml: limited(1), clock });
    const { gateway } = instance.addresses;
    const early = await GatewayClient.connect(gateway);
    clock.advance(9_900);
    const refused = await GatewayClient.connect(gateway);
    expect(await refused.closed).toEqual(RATE_LIMITED);
    clock.advance(100);
    const late = await GatewayClient.connect(gateway);
    for (const client of [early, late]) await client.ping();
  });

  test('[GW14] a thousand refused connections leave nothing in memory and do not keep other clients out', async () => {
    const clock = fakeClock();
    await using instance = await startTestInstance({
      toml: limited(1).replace('10', '3600'),
      clock,
      env: behindProxy,
    });
    const { gateway } = instance.addresses;
    const stays = await GatewayClient.connect(gateway);
    const before = socketsKept();
    for (let batch = 0; batch < 10; batch += 1) {
      const clients = Array.from({ length: 100 }, () => GatewayClient.connect(gateway));
      for (const client of await Promise.all(clients))
        expect(await client.closed).toEqual(RATE_LIMITED);
      // Closed sockets are counted as held for a few seconds, because a client may leave them half closed.
      clock.advance(2_000);
    }
    await stays.ping();
    clock.advance(6_000);
    expect(socketsKept() - before).toBeLessThan(100);
    using other = await RawSocket.connect(gateway, from('192.0.2.9'));
    await expectAnswer(other);
  });
});

describe('payloads', () => {
  test('[GW12][GW13][GW15] one payload too many in a window closes its connection and no other', async () => {
    const clock = fakeClock();
    await using instance = await startTestInstance({ toml: limited(4), clock });
    using first = await RawSocket.connect(instance.addresses.gateway);
    using second = await RawSocket.connect(instance.addresses.gateway);
    for (let count = 0; count < 4; count += 1) await expectAnswer(first);
    for (let count = 0; count < 4; count += 1) await expectAnswer(second);
    clock.advance(9_900);
    first.sendText(PING);
    await first.ended;
    expect(first.texts).toHaveLength(4);
    expect(first.closed).toEqual(RATE_LIMITED);
    clock.advance(100);
    for (let count = 0; count < 4; count += 1) await expectAnswer(second);
  });

  test('[GW5][GW13] payloads that are ignored count', async () => {
    await using instance = await startTestInstance({ toml: limited(5) });
    using socket = await RawSocket.connect(instance.addresses.gateway);
    socket.sendText('');
    socket.sendText('{"op":"HELLO"}');
    socket.sendText('no JSON');
    socket.send(OPCODES.binary, 'bytes');
    socket.sendText(PING);
    socket.sendText(PING);
    await socket.ended;
    expect(socket.texts).toEqual(['{"op":"PONG"}']);
    expect(socket.closed).toEqual(RATE_LIMITED);
  });

  test('[GW15] a payload counts once, whatever number of fragments it has, and frames of the WebSocket protocol do not count', async () => {
    await using instance = await startTestInstance({ toml: limited(2) });
    using socket = await RawSocket.connect(instance.addresses.gateway);
    for (let count = 0; count < 10; count += 1) {
      socket.send(OPCODES.ping, 'there?');
      socket.send(OPCODES.pong, 'here');
    }
    for (let count = 0; count < 2; count += 1) {
      for (const part of ['{"op"', ':"PI', 'NG"']) {
        socket.send(part === '{"op"' ? OPCODES.text : OPCODES.continuation, part, {
          isFinal: false,
        });
      }
      socket.send(OPCODES.continuation, '}');
    }
    await socket.until(() => socket.texts.length === 2);
    expect(socket.closed).toBeUndefined();
  });

  test.each(['ping', 'pong'] as const)(
    '[GW15] more than ten times as many %s frames as payloads are allowed close their connection and no other',
    async (kind) => {
      const clock = fakeClock();
      await using instance = await startTestInstance({ toml: limited(2), clock });
      using flooding = await RawSocket.connect(instance.addresses.gateway);
      using other = await RawSocket.connect(instance.addresses.gateway);
      for (let count = 0; count < 20; count += 1) flooding.send(OPCODES[kind], '');
      await expectAnswer(flooding);
      clock.advance(10_000);
      for (let count = 0; count < 20; count += 1) flooding.send(OPCODES[kind], '');
      await expectAnswer(flooding);
      flooding.send(OPCODES[kind], '');
      await flooding.ended;
      expect(flooding.closed).toEqual(RATE_LIMITED);
      await expectAnswer(other);
    },
  );

  test('[GW15] many clients of one household ping without using up the limit of the others, or that on connections', async () => {
    const clock = fakeClock();
    await using instance = await startTestInstance({ toml: limited(5), clock });
    const { gateway } = instance.addresses;
    const clients: GatewayClient[] = [];
    for (let count = 0; count < 5; count += 1) clients.push(await GatewayClient.connect(gateway));
    clock.advance(10_000);
    for (let count = 0; count < 5; count += 1) for (const client of clients) await client.ping();
    for (let count = 0; count < 5; count += 1) clients.push(await GatewayClient.connect(gateway));
    for (const client of clients.slice(5)) await client.ping();
    const pongs = clients.map(({ received }) => received.length);
    expect(pongs).toEqual([5, 5, 5, 5, 5, 1, 1, 1, 1, 1]);
  });

  test('[GW13] after one payload too many, nothing that the client sends is answered', async () => {
    await using instance = await startTestInstance({ toml: limited(2) });
    using socket = await RawSocket.connect(instance.addresses.gateway);
    for (let count = 0; count < 50; count += 1) socket.sendText(PING);
    await socket.ended;
    expect(socket.frames.map(({ opcode }) => opcode)).toEqual([
      OPCODES.text,
      OPCODES.text,
      OPCODES.close,
    ]);
  });
});

describe('sizes', () => {
  const texts = {
    ASCII: 'x'.repeat(LARGEST),
    'two-byte': 'é'.repeat(LARGEST / 2),
    'four-byte': '😀'.repeat(LARGEST / 4),
    JSON: `{"op":"PING","d":"${'x'.repeat(LARGEST - 20)}"}`,
  };

  test.each(Object.entries(texts))(
    '[GW16] 64 KiB of %s text are accepted, and one byte more is not',
    async (_, largest) => {
      await using instance = await startTestInstance();
      using socket = await RawSocket.connect(instance.addresses.gateway);
      socket.sendText(largest);
      await expectAnswer(socket);
      socket.sendText(`${largest} `);
      await socket.ended;
      expect(socket.closed).toEqual(RATE_LIMITED);
    },
  );

  test('[GW16] binary payloads and payloads in fragments are measured in the same way', async () => {
    await using instance = await startTestInstance();
    using bytes = await RawSocket.connect(instance.addresses.gateway);
    bytes.send(OPCODES.binary, new Uint8Array(LARGEST));
    await expectAnswer(bytes);
    bytes.send(OPCODES.binary, new Uint8Array(LARGEST + 1));
    using parts = await RawSocket.connect(instance.addresses.gateway);
    parts.send(OPCODES.text, 'x'.repeat(LARGEST), { isFinal: false });
    parts.send(OPCODES.continuation, 'x');
    await Promise.all([bytes.ended, parts.ended]);
    expect([bytes.closed, parts.closed]).toEqual([RATE_LIMITED, RATE_LIMITED]);
  });

  test("[GW16] the gateway refuses a payload of 1 MiB itself; a larger one is closed with the protocol's code", async () => {
    await using instance = await startTestInstance();
    using refused = await RawSocket.connect(instance.addresses.gateway);
    refused.sendText('x'.repeat(LARGEST_OF_RUNTIME));
    using cut = await RawSocket.connect(instance.addresses.gateway);
    cut.sendText('x'.repeat(LARGEST_OF_RUNTIME + 1));
    await Promise.all([refused.ended, cut.ended]);
    expect([refused.closed, cut.closed?.code]).toEqual([RATE_LIMITED, 1009]);
  });

  test.each<[string, number, (socket: RawSocket) => void]>([
    [
      'a frame without mask',
      1002,
      (socket) => socket.send(OPCODES.text, PING, { isMasked: false }),
    ],
    [
      'a compressed frame',
      1002,
      (socket) => socket.send(OPCODES.text, PING, { reservedBits: 0x40 }),
    ],
    ['an unknown kind of frame', 1002, (socket) => socket.send(3, PING)],
    ['a continuation of nothing', 1002, (socket) => socket.send(OPCODES.continuation, PING)],
    ['half a ping', 1002, (socket) => socket.send(OPCODES.ping, '', { isFinal: false })],
    [
      'text that is not UTF-8',
      1007,
      (socket) => socket.send(OPCODES.text, Buffer.from([0xc3, 0x28])),
    ],
  ])('[GW16] %s is closed with %p and affects nobody else', async (_, code, breach) => {
    await using instance = await startTestInstance();
    const other = await GatewayClient.connect(instance.addresses.gateway);
    using socket = await RawSocket.connect(instance.addresses.gateway);
    breach(socket);
    await socket.ended;
    expect(socket.closed?.code).toBe(code);
    await other.ping();
  });
});

test('[GW12] a fault while a payload is handled closes that connection with "Server error" and no other', async () => {
  const clock = fakeClock();
  let isBroken = false;
  const monotonicMs = () => {
    if (!isBroken) return clock.monotonicMs();
    isBroken = false;
    throw new Error('the clock is broken');
  };
  await using instance = await startTestInstance({
    toml: GENEROUS_LIMITS,
    clock: { ...clock, monotonicMs },
  });
  const [other, client] = await Promise.all(
    [1, 2].map(() => GatewayClient.connect(instance.addresses.gateway)),
  );
  isBroken = true;
  client?.send(PING);
  expect(await client?.closed).toEqual({ code: 1011, reason: 'Server error' });
  await other?.ping();
});
