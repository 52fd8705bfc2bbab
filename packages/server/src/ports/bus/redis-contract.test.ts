import { afterAll, beforeAll } from 'bun:test';
import {
  isRedisMissing,
  startRedisServer,
  type RedisServer,
} from '../../../test/support/redis-server.ts';
import { openSharedBus } from '../../../test/support/shared-bus.ts';
import { busContract } from './bus.contract.ts';
import type { Bus } from './bus.ts';

let server: RedisServer | undefined;

beforeAll(async () => {
  if (!isRedisMissing) server = await startRedisServer();
});
afterAll(() => server?.[Symbol.asyncDispose]());

async function open(): Promise<Bus> {
  if (server === undefined) throw new Error('there is no Redis');
  const { bus, ...shared } = await openSharedBus({ url: server.url });
  return {
    publish: (publication) => bus.publish(publication),
    subscribe: (follower) => bus.subscribe(follower),
    [Symbol.asyncDispose]: () => shared[Symbol.asyncDispose](),
  };
}

busContract('redis', open, { skip: isRedisMissing });
