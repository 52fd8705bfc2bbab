import { afterAll, beforeAll } from 'bun:test';
import { isRedisMissing } from '@hearth/testing/servers/redis-server';
import { sharedRedis, type SharedRedis } from '@hearth/testing/servers/shared-redis';
import { openSharedBus } from '@hearth/testing/ports/shared-bus';
import { busContract } from './bus.contract.ts';
import type { MostRemembered } from './bus.ts';
import type { Bus } from './bus.ts';

let server: SharedRedis | undefined;

beforeAll(async () => {
  if (!isRedisMissing) server = await sharedRedis();
});
afterAll(() => server?.[Symbol.asyncDispose]());

async function open(most?: MostRemembered): Promise<Bus> {
  if (server === undefined) throw new Error('there is no Redis');
  const { bus, ...shared } = await openSharedBus({
    url: server.url,
    ...(most && { bounds: { most } }),
  });
  return {
    publish: (publication) => bus.publish(publication),
    append: (event) => bus.append(event),
    appendOnce: (event, key) => bus.appendOnce(event, key),
    publishNext: (publication, place) => bus.publishNext(publication, place),
    subscribe: (follower) => bus.subscribe(follower),
    [Symbol.asyncDispose]: () => shared[Symbol.asyncDispose](),
  };
}

busContract('redis', open, { skip: isRedisMissing });
