import { describe, expect, test } from 'bun:test';
import { startTestInstance } from '@hearth/testing/instances/test-instance';
import { connect } from '../src/index.ts';
import { startDocumentedServer } from '@hearth/testing/clients/documented-server';
import { manualClock } from '@hearth/testing/manual-clock';
import { witnessOf } from '@hearth/testing/clients/witness';

describe('a client', () => {
  test('a client pings well before 45 seconds are over, again and again', async () => {
    await using server = startDocumentedServer();
    const clock = manualClock();
    await using client = await connect(server.url, { clock });
    await client.open();
    const pings = () => server.seen.filter((line) => line === 'PING').length;
    for (let minute = 1; minute <= 5; minute += 1) {
      await clock.advance(39_000);
      expect(pings()).toBe(minute - 1);
      await clock.advance(1_000);
      while (pings() < minute) await new Promise((resolve) => setImmediate(resolve));
      // The answer has to arrive before the clock goes on.
      server.push(JSON.stringify({ op: 'MESSAGE_CREATE', d: { author: 'ada', content: 'x' } }));
      const { promise, resolve } = Promise.withResolvers<unknown>();
      const off = client.on('message', resolve);
      await promise;
      off();
    }
    expect(client.connection.state).toBe('open');
  });

  test('a client stays connected to Hearth for as long as it likes', async () => {
    await using instance = await startTestInstance();
    const clock = manualClock();
    await using client = await connect(instance.addresses.rest, { clock });
    const witness = witnessOf(client);
    await client.open();
    for (let minute = 1; minute <= 3; minute += 1) {
      await clock.advance(40_000);
      await client.send({ author: 'ada', content: `minute ${minute}` });
      await witness.until(() => witness.messages.length === minute);
    }
    expect(witness.states.map(({ state }) => state)).toEqual(['connecting', 'open']);
  });

  test('a client takes a missing PONG for a dead connection, and reconnects', async () => {
    await using server = startDocumentedServer({ isMute: true });
    const clock = manualClock();
    await using client = await connect(server.url, { clock, random: () => 0 });
    const witness = witnessOf(client);
    await client.open();
    await clock.advance(49_999);
    expect(client.connection.state).toBe('open');
    await clock.advance(1);
    await clock.advance(1);
    await witness.until(() => witness.gaps.length === 1);
    expect(witness.states).toContainEqual({
      state: 'waiting',
      attempt: 1,
      retryAtMs: clock.now() - 1,
      reason: 'network',
    });
  });

  test('a client does not ping more often than allowed, however often it is asked to check', async () => {
    await using server = startDocumentedServer();
    const clock = manualClock();
    await using client = await connect(server.url, { clock });
    await client.open();
    const pings = () => server.seen.filter((line) => line === 'PING').length;
    const answered = async () => {
      server.push(JSON.stringify({ op: 'MESSAGE_CREATE', d: { author: 'ada', content: 'x' } }));
      const { promise, resolve } = Promise.withResolvers<unknown>();
      const off = client.on('message', resolve);
      await promise;
      off();
    };
    for (let click = 0; click < 20; click += 1) client.gateway.reconnectNow();
    while (pings() === 0) await new Promise((resolve) => setImmediate(resolve));
    await answered();
    expect(pings()).toBe(1);
    // A check in between happens soon, and not only at the next heartbeat.
    await clock.advance(5_000);
    while (pings() < 2) await new Promise((resolve) => setImmediate(resolve));
    await answered();
    await clock.advance(30_000);
    expect(pings()).toBe(2);
    expect(client.connection.state).toBe('open');
  });

  test('that checks a dead connection again does not wait for longer', async () => {
    await using server = startDocumentedServer({ isMute: true });
    const clock = manualClock();
    // A wait of 0 ms, which is one in a thousand, would end at once.
    await using client = await connect(server.url, { clock, random: () => 0.5 });
    await client.open();
    client.gateway.reconnectNow();
    await clock.advance(6_000);
    client.gateway.reconnectNow();
    await clock.advance(4_000);
    expect(client.connection.state).toBe('waiting');
  });

  test('a client pings a gateway that asks for no heartbeat as often as any other', async () => {
    await using server = startDocumentedServer({
      isExtended: true,
      isMute: true,
      answer: (request) => (request.url.includes('/messages?') ? Response.json([]) : undefined),
    });
    const clock = manualClock();
    await using client = await connect(server.url, { clock });
    const opened = client.open();
    while (!server.seen.includes('PING')) await new Promise((resolve) => setImmediate(resolve));
    const d = { v: 1, heartbeat_interval: 1e12, epoch: 'e', s: 0, recovered: null };
    server.push(JSON.stringify({ op: 'HELLO', d }));
    server.push('{"op":"PONG"}');
    await opened;
    await clock.advance(45_000 + 10_000);
    expect(client.connection.state).not.toBe('open');
  });

  test('a client gives up on a connection that does not open in time', async () => {
    await using server = startDocumentedServer({
      isExtended: true,
      isMute: true,
      answer: (request) => (request.url.includes('/messages?') ? Response.json([]) : undefined),
    });
    const clock = manualClock();
    const options = { clock, random: () => 0.5, requestTimeoutMs: 7_000 };
    await using client = await connect(server.url, options);
    const witness = witnessOf(client);
    const opened = client.open().catch((error) => error.name);
    while (!server.seen.includes('PING')) await new Promise((resolve) => setImmediate(resolve));
    await clock.advance(7_000);
    await witness.until(() => client.connection.state === 'waiting');
    await client.close();
    expect(await opened).toBe('ClosedError');
    expect(clock.timers).toBe(0);
  });
});

test('hardly any two clients reconnect at the same moment, and none later than half a minute', async () => {
  await using server = startDocumentedServer();
  const clock = manualClock();
  const rolls = [0.5, 0.25, 1, 1, 1, 1, 1, 1, 1];
  await using client = await connect(server.url, { clock, random: () => rolls.shift() ?? 1 });
  const witness = witnessOf(client);
  await client.open();
  const waits: number[] = [];
  await server[Symbol.asyncDispose]();
  for (let attempt = 1; attempt <= 9; attempt += 1) {
    await witness.until(() => client.connection.state === 'waiting');
    const { connection } = client;
    if (connection.state !== 'waiting') throw new Error('it waits');
    expect(connection.attempt).toBe(attempt);
    waits.push(connection.retryAtMs - clock.now());
    await clock.advance(connection.retryAtMs - clock.now());
  }
  expect(waits).toEqual([250, 250, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 30_000]);
});
