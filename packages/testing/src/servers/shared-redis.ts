import { RedisClient } from 'bun';
import { REDIS_DATABASES, startRedisServer } from './redis-server.ts';
import { testRun } from '../test-run.ts';

/** A database of a Redis that other tests may share: no test stops it, configures it or flushes all of it. */
export interface SharedRedis extends AsyncDisposable {
  readonly url: string;
}

/** A database of the run's server, or of a new one. Tests that stop, pause or configure a server must start one. */
export async function sharedRedis(): Promise<SharedRedis> {
  return testRun.redis === undefined ? await startRedisServer() : await takeDatabase(testRun.redis);
}

/** Database 0 has the number of databases in use. */
async function takeDatabase(server: string): Promise<SharedRedis> {
  const counter = new RedisClient(server);
  const taken = await counter.incr('databases');
  counter.close();
  const url = `${server}/${1 + (taken % (REDIS_DATABASES - 1))}`;
  const flush = async () => {
    const client = new RedisClient(url);
    await client.send('FLUSHDB', []);
    client.close();
  };
  await flush();
  return { url, [Symbol.asyncDispose]: flush };
}
