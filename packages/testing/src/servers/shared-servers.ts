import { hasPostgres, startPostgres, type PostgresServer } from './postgres-server.ts';
import { isRedisMissing, startRedisServer, type RedisServer } from './redis-server.ts';
import { sharedPostgres, type SharedPostgres } from './shared-postgres.ts';
import { sharedRedis, type SharedRedis } from './shared-redis.ts';

/** True if this machine lacks a server that instances of several processes need, so that their tests are skipped. */
export const areServersMissing = !hasPostgres || isRedisMissing;

/** The variables that name the servers that an instance's processes share. */
export type SharedEnvironment = Readonly<Record<'DATABASE_URL' | 'REDIS_URL', string>>;

/** The PostgreSQL and the Redis that the processes of instances share. */
export interface Servers<P = SharedPostgres, R = SharedRedis> extends AsyncDisposable {
  readonly postgres: P;
  readonly redis: R;
  /** The environment of a new instance on these servers, with its own migrated database and a shared Redis. */
  newInstance(): Promise<SharedEnvironment>;
}

/** Servers that a test may stop and pause. */
export type OwnServers = Servers<PostgresServer, RedisServer>;

/** The servers of instances; other tests may share them. */
export function sharedServers(): Promise<Servers> {
  return openBoth(sharedPostgres, sharedRedis);
}

/** Starts both servers, to be stopped and paused. If `isDurable`, the commits of PostgreSQL survive a power cut. */
export function startSharedServers({ isDurable = false } = {}): Promise<OwnServers> {
  return openBoth(() => startPostgres({ isDurable }), startRedisServer);
}

async function openBoth<P extends SharedPostgres, R extends SharedRedis>(
  openOnePostgres: () => Promise<P>,
  openOneRedis: () => Promise<R>,
): Promise<Servers<P, R>> {
  await using resources = new AsyncDisposableStack();
  const postgres = resources.use(await openOnePostgres());
  const redis = resources.use(await openOneRedis());
  const owned = resources.move();
  return {
    postgres,
    redis,
    newInstance: async () => ({
      DATABASE_URL: await postgres.createMigrated(),
      REDIS_URL: redis.url,
    }),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}
