import { hasPostgres, startPostgres, type PostgresServer } from './postgres-server.ts';
import { isRedisMissing, startRedisServer, type RedisServer } from './redis-server.ts';

/** Whether this machine lacks a server that instances of several processes need, so that what is about them is skipped. */
export const areServersMissing = !hasPostgres || isRedisMissing;

/** What the processes of an instance are told of what they share. */
export type SharedEnvironment = Readonly<Record<'DATABASE_URL' | 'REDIS_URL', string>>;

/** PostgreSQL and Redis of a test's own. */
export interface SharedServers extends AsyncDisposable {
  readonly postgres: PostgresServer;
  readonly redis: RedisServer;
  /** The environment of a new instance on them: with a database of its own, in a Redis that it shares. */
  newInstance(): Promise<SharedEnvironment>;
}

/** Starts both. */
export async function startSharedServers(): Promise<SharedServers> {
  await using resources = new AsyncDisposableStack();
  const postgres = resources.use(await startPostgres());
  const redis = resources.use(await startRedisServer());
  const owned = resources.move();
  return {
    postgres,
    redis,
    newInstance: async () => ({
      DATABASE_URL: await postgres.createDatabase(),
      REDIS_URL: redis.url,
    }),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}
