import { expect, test } from 'bun:test';
import { connect } from 'node:net';
import { ClientFleet, FLEET_SIZE } from '@hearth/testing/clients/client-fleet';
import { GatewayClient } from '@hearth/testing/clients/gateway-client';
import { eventOf } from '@hearth/testing/clients/post-message';
import { handshake, RawSocket } from '@hearth/testing/clients/raw-socket';
import {
  GENEROUS_LIMITS,
  startTestInstance,
  type TestInstance,
} from '@hearth/testing/instances/test-instance';
import { clientFrame, OPCODES } from '@hearth/testing/clients/web-socket-frames';

const MANY_PINGS = GENEROUS_LIMITS.replace(
  'limit = 100000 }\n[effis',
  'limit = 10000000 }\n[effis',
);
const SERVER_ERROR = { code: 1011, reason: 'Server error' };

test('[GW12] a stop closes each of 2,000 clients with 1011 "Server error"', async () => {
  await using instance = await startTestInstance();
  await using fleet = await ClientFleet.connect(instance.addresses.gateway, FLEET_SIZE);
  await instance.stop();
  expect(await fleet.closed()).toEqual({ '1011 Server error': FLEET_SIZE });
});

/** Connects a client for which more waits than the system buffers, but less than makes the gateway close it. */
async function connectDeaf(instance: TestInstance, other: GatewayClient): Promise<RawSocket> {
  const deaf = await RawSocket.connect(instance.addresses.gateway);
  deaf.stopReading();
  const pings = Buffer.alloc(19 * 10_000, clientFrame(OPCODES.text, '{"op":"PING"}'));
  for (let batch = 0; batch < 32; batch += 1) {
    deaf.write(pings);
    await other.ping();
  }
  return deaf;
}

test('[GW12][GW19] a client that does not read delays a stop for a bounded time, and no other client at all', async () => {
  await using instance = await startTestInstance({ toml: MANY_PINGS });
  const other = await GatewayClient.connect(instance.addresses.gateway);
  using _deaf = await connectDeaf(instance, other);
  const startedAt = performance.now();
  const stopped = instance.stop().then(() => 'stopped');
  expect(await Promise.race([other.closed, stopped])).toEqual(SERVER_ERROR);
  await stopped;
  expect(performance.now() - startedAt).toBeLessThan(20_000);
});

test('[GW3][GW17] every message that was accepted before or during a stop reaches the clients before they are closed', async () => {
  await using instance = await startTestInstance();
  const client = await GatewayClient.connect(instance.addresses.gateway);
  const accepted: string[] = [];
  const post = async (content: string): Promise<boolean> => {
    try {
      const body = JSON.stringify({ author: 'someone', content });
      const answer = await fetch(`${instance.addresses.rest}/messages`, { method: 'POST', body });
      if (answer.status !== 200) return false;
      accepted.push(eventOf(content));
      return true;
    } catch {
      return false;
    }
  };
  const posters = Array.from({ length: 20 }, async (_, poster) => {
    for (let count = 0; await post(`${poster}.${count}`); count += 1);
  });
  await client.until(() => client.received.length > 200);
  await instance.stop();
  await Promise.all(posters);
  expect(await client.closed).toEqual(SERVER_ERROR);
  expect(client.received.toSorted()).toEqual(expect.arrayContaining(accepted.toSorted()));
  expect(accepted.length).toBeGreaterThan(150);
});

test('[GW12] a client that connects during a stop is refused or closed with "Server error", and none is left hanging', async () => {
  await using instance = await startTestInstance();
  const { gateway } = instance.addresses;
  const outcomes: string[] = [];
  const connectAndWait = async () => {
    try {
      using socket = await RawSocket.connect(gateway);
      await socket.ended;
      outcomes.push(`${socket.closed?.code} ${socket.closed?.reason}`);
    } catch {
      outcomes.push('refused');
    }
  };
  const early = Array.from({ length: 100 }, connectAndWait);
  const first = await GatewayClient.connect(gateway);
  const stopped = instance.stop();
  const late = Array.from({ length: 100 }, connectAndWait);
  await Promise.all([stopped, ...early, ...late]);
  expect(await first.closed).toEqual(SERVER_ERROR);
  expect(outcomes).toHaveLength(200);
  expect(new Set(outcomes).difference(new Set(['1011 Server error', 'refused']))).toEqual(
    new Set(),
  );
});

test('[GW19] clients that disconnect before their handshake is answered do not affect the others', async () => {
  await using instance = await startTestInstance();
  const { hostname, port } = new URL(instance.addresses.gateway);
  const other = await GatewayClient.connect(instance.addresses.gateway);
  for (let batch = 0; batch < 10; batch += 1) {
    const gone = Array.from({ length: 20 }, () => {
      const { promise, resolve } = Promise.withResolvers<void>();
      const socket = connect({ host: hostname, port: Number(port) }, () => {
        socket.write(handshake());
        if (batch % 2 === 0) socket.destroy();
        else socket.resetAndDestroy();
      });
      socket.on('error', () => {});
      socket.on('close', () => resolve());
      return promise;
    });
    await Promise.all(gone);
    await other.ping();
  }
  expect(other.received).toEqual(Array.from({ length: 10 }, () => '{"op":"PONG"}'));
});
