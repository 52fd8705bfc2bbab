import { LOBBY_STREAM } from '@hearth/protocol';
import { openSharedIdentity } from '../features/platform/identity/identity.ts';
import { SharedHistory, messageJournal } from '../features/talk/lobby/lobby.ts';
import { listAppended } from '../features/platform/nonces/nonces.ts';
import { within } from '../lib/within.ts';
import type { Logger } from '../log/logger.ts';
import { prepareStream, recallAppended, streamKeys } from '../ports/bus/redis-stream.ts';
import { redisBus } from '../ports/bus/redis.ts';
import { connectWithin } from '../ports/connect-within.ts';
import type { Database } from '../ports/database/database.ts';
import { redisJournal } from '../ports/journal/redis.ts';
import { fallbackLimiter } from '../ports/limiter/fallback.ts';
import { limitPolicies } from './limit-policies.ts';
import { memoryLimiter } from '../ports/limiter/memory.ts';
import { redisLimiter } from '../ports/limiter/redis.ts';
import { claimFormat, keyPrefix } from '../ports/redis-format.ts';
import { redisPresence } from '../ports/presence/redis.ts';
import { redisSignals } from '../ports/signals/redis.ts';
import {
  openRedisLink,
  RedisUnavailableError,
  type RedisConnection,
  type RedisLink,
} from '../ports/redis-link.ts';
import type { EngineParts, Engines } from './engines.ts';

/** The size limit of the journal in bytes. This much of the history is not lost while the database is away. */
const JOURNAL_BYTES = 32 * 1024 ** 2;

/** The time in milliseconds that a new connection to Redis may wait for the database. */
const RECALLED_WITHIN_MS = 1_000;

/** The oldest Redis version that has all commands we use. Valkey reports this version, too. */
const OLDEST_MAJOR = 7;

/** Opens what the processes of an instance share in Redis. Throws StartError. */
export async function openManyProcesses(
  parts: EngineParts,
  database: Database,
  redisUrl: string,
): Promise<Omit<Engines, 'blobs' | 'database'>> {
  const { config, clock, log, resources } = parts;
  const { settings } = config;
  const { instanceId, instanceKey, leaseIds, ...own } = await openSharedIdentity(database, clock);
  const ids = resources.use(own.ids);
  const prefix = keyPrefix(instanceKey);
  const keys = streamKeys(prefix);
  const greet = async (connection: RedisConnection) => {
    await prepareStream(connection, keys);
    await recallAppended(connection, keys, () =>
      within(listAppended(database, LOBBY_STREAM, clock), RECALLED_WITHIN_MS),
    );
  };
  const open = () => openRedisLink({ url: redisUrl, log, greet });
  const link = resources.use(await reach(parts, redisUrl, open));
  const journal = messageJournal(redisJournal({ link, keys, instanceId }));
  const bounds = settings.rest.history;
  const history = resources.use(new SharedHistory({ database, clock, log, bounds, journal }));
  const bus = resources.use(
    redisBus({
      link,
      keys,
      log,
      instanceId,
      leaseIds,
      openReader: open,
      journaled: LOBBY_STREAM,
      bounds: {
        replay: settings.gateway.replay,
        journal: { messages: bounds.messages, bytes: JOURNAL_BYTES },
      },
      onPlaced: (id) => history.append({ id }),
    }),
  );
  const policies = limitPolicies(settings);
  const limiter = fallbackLimiter({
    shared: redisLimiter({ link, policies, prefix: `${prefix}limit:` }),
    local: memoryLimiter(policies, clock),
    isUp: () => link.isUp,
    log,
  });
  const presence = resources.use(redisPresence({ link, key: `${prefix}online`, log }));
  const signals = resources.use(await redisSignals({ link, openReader: open, prefix, log }));
  return { ids, history, bus, limiter: resources.use(limiter), presence, signals };
}

function reach(
  { config, log }: EngineParts,
  url: string,
  open: () => Promise<RedisLink>,
): Promise<RedisLink> {
  const { host, pathname } = new URL(url);
  return connectWithin({
    variable: 'REDIS_URL',
    place: `${host}${pathname}`,
    timeoutMs: config.deployment.engines.connectTimeoutMs,
    log,
    isLasting: (error) => !(error instanceof RedisUnavailableError),
    async connect() {
      await requireUsable(url, log);
      return open();
    },
  });
}

// On a connection of its own, because opening the others writes keys.
async function requireUsable(url: string, log: Logger): Promise<void> {
  await using link = await openRedisLink({ url, log });
  await refuseOld(link);
  await claimFormat(link);
}

async function refuseOld(link: RedisConnection): Promise<void> {
  const info = String(await link.send('INFO', ['server']));
  const [, version = 'unknown'] = /^redis_version:(\S+)/m.exec(info) ?? [];
  if (Number.parseInt(version, 10) >= OLDEST_MAJOR) return;
  throw new Error(`it is Redis ${version}, and Hearth needs ${OLDEST_MAJOR} or newer`);
}
