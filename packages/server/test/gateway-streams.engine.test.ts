import { afterAll, beforeAll, expect, test } from 'bun:test';
import { BlockSource, freshPrefix, openSharedBus } from '@hearth/testing/ports/shared-bus';
import { isRedisMissing } from '@hearth/testing/servers/redis-server';
import { sharedRedis, type SharedRedis } from '@hearth/testing/servers/shared-redis';
import {
  gatewayStreamsContract,
  member,
  publish,
  sentTo,
  startGateway,
  untilSent,
} from './gateway-streams.contract.ts';

let server: SharedRedis;

beforeAll(async () => {
  if (!isRedisMissing) server = await sharedRedis();
});
afterAll(() => server?.[Symbol.asyncDispose]());

/** Two processes of an instance. */
async function openPair() {
  await using resources = new AsyncDisposableStack();
  const shared = { url: server.url, prefix: freshPrefix(), blocks: new BlockSource() };
  const one = resources.use(await openSharedBus(shared));
  const other = resources.use(await openSharedBus(shared));
  const owned = resources.move();
  return { buses: [one.bus, other.bus], [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

test.skipIf(isRedisMissing)(
  '[ST3][ST4][ST6] a gateway that is started later continues every stream with the events that the bus has kept',
  async () => {
    await using pair = await openPair();
    const [bus, other] = pair.buses;
    if (bus === undefined || other === undefined) throw new Error('there are two processes');
    await using early = await startGateway(bus);
    const first = await early.connect();
    for (const stream of ['c:1', 'c:2']) first.open(stream, member(1));
    await Promise.all(['c:1', 'c:2'].map((stream) => publish(bus, 8, stream)));
    for (const stream of ['c:1', 'c:2']) await untilSent(first, 8, stream);
    const opened = first.client.received.map((text) => JSON.parse(text));
    const epochOf = (stream: string) => {
      const found = opened.find(({ op, d }) => op === 'STREAM_OPEN' && d.stream === stream);
      return String(found?.d.epoch);
    };
    await using later = await startGateway(other);
    const late = await later.connect();
    expect(late.open('c:1', member(1), { epoch: epochOf('c:1'), position: 3 })).toBe(true);
    expect(late.open('c:2', member(1), { epoch: 'another', position: 3 })).toBe(false);
    await publish(bus, 1, 'c:1');
    await publish(bus, 1, 'c:2');
    await untilSent(late, 9, 'c:1');
    await untilSent(late, 9, 'c:2');
    expect(sentTo(late, 'c:1')).toEqual(['open', 4, 5, 6, 7, 8, 9]);
    expect(sentTo(late, 'c:2')).toEqual(['open', 9]);
    await first.client.until(() => sentTo(first, 'c:2').at(-1) === 9);
  },
);

gatewayStreamsContract('redis', openPair, { skip: isRedisMissing });
