import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import type { Bus } from '../src/ports/bus/bus.ts';
import { Gateway } from '../src/components/gateway/gateway.ts';
import { gatewayParts } from '../src/lists/gateway-parts.ts';
import type { OwnerContext } from '../src/instance.ts';
import { clientResolver } from '../src/http/client-address.ts';
import { numbered, message } from '@hearth/testing/ports/bus-recorder';
import { freePorts } from '@hearth/testing/free-ports';
import { GatewayClient } from '@hearth/testing/clients/gateway-client';
import { ProfileClient, resumeQuery } from '@hearth/testing/clients/profile-client';
import { isRedisMissing, startRedisServer } from '@hearth/testing/servers/redis-server';
import { sharedRedis, type SharedRedis } from '@hearth/testing/servers/shared-redis';
import {
  BlockSource,
  freshPrefix,
  openSharedBus,
  type SharedBus,
} from '@hearth/testing/ports/shared-bus';
import { openTestContext } from '@hearth/testing/instances/test-context';
import { until } from '@hearth/testing/until';

let ctx: OwnerContext;
let server: SharedRedis;
let shared: { url: string; prefix: string; blocks: BlockSource };

beforeAll(async () => {
  if (isRedisMissing) return;
  ctx = await openTestContext();
  server = await sharedRedis();
});
afterAll(async () => {
  await ctx?.[Symbol.asyncDispose]();
  await server?.[Symbol.asyncDispose]();
});
beforeEach(() => {
  if (!isRedisMissing)
    shared = { url: server.url, prefix: freshPrefix(), blocks: new BlockSource() };
});

/** Starts a gateway like that of a separate process. */
async function startGateway(bus: Bus) {
  const [port = 0] = await freePorts(1);
  const limits = { admitted: 100, refused: 10 };
  const features = gatewayParts(ctx);
  const gateway = await Gateway.follow(
    { ...ctx, bus },
    { hostname: '127.0.0.1', port, clientOf: clientResolver([]), limits, features },
  );
  gateway.listen();
  return {
    addresses: { ...ctx.addresses, gateway: `ws://127.0.0.1:${port}` },
    stop: () => gateway.stop(),
    [Symbol.asyncDispose]: () => gateway.stop(),
  };
}

async function publishAll({ bus }: SharedBus, contents: readonly string[]): Promise<void> {
  for (const content of contents) await bus.append(message(content));
}

describe.skipIf(isRedisMissing)('gateways of several processes', () => {
  test('[LB16][LB18] gateways send the same events, and a client resumes at another one, even if that was started later', async () => {
    await using one = await openSharedBus(shared);
    await using other = await openSharedBus(shared);
    await using first = await startGateway(one.bus);
    using client = await ProfileClient.greeted(first);
    await publishAll(other, numbered(5));
    await client.untilEvents(5);
    await first.stop();
    await client.raw.ended;
    await publishAll(one, ['5', '6']);
    await using second = await startGateway(other.bus);
    using back = await ProfileClient.greeted(second, resumeQuery(client.place));
    await publishAll(one, ['7']);
    await back.untilEvents(3);
    expect([client.hello.epoch, back.hello.recovered]).toEqual([back.hello.epoch, true]);
    expect([...client.contents, ...back.contents]).toEqual(numbered(8));
    expect([...client.events, ...back.events].map(({ s }) => s)).toEqual(
      numbered(8).map((content) => client.hello.s + 1 + Number(content)),
    );
  });

  test('[LB19] gateways keep their sockets if Redis loses its data, but disconnect the clients that know positions', async () => {
    await using own = await startRedisServer();
    await using one = await openSharedBus({ ...shared, url: own.url });
    await using gateway = await startGateway(one.bus);
    const documented = await GatewayClient.connect(gateway.addresses.gateway);
    using client = await ProfileClient.greeted(gateway);
    await publishAll(one, ['before']);
    await client.untilEvents(1);
    await own.stop();
    await until(async () => !one.link.isUp);
    await documented.ping();
    await client.ping();
    await own.start();
    await one.link.whenUp();
    await publishAll(one, ['after']);
    await client.raw.ended;
    expect(client.goodbye).toMatchObject({ reason: 'server_error', reconnect: true });
    await documented.until(() => documented.received.length >= 3);
    const events = documented.received.filter((text) => text.includes('MESSAGE_CREATE'));
    expect(events.map((text) => JSON.parse(text).d.content)).toEqual(['before', 'after']);
    using back = await ProfileClient.greeted(gateway, resumeQuery(client.place));
    expect(back.hello.recovered).toBe(false);
    expect(back.hello.epoch).not.toBe(client.hello.epoch);
  });
});
