import { acceptMove } from '../features/operation/move-instance/move-instance.ts';
import { connectWithin, type Reaching } from '../ports/connect-within.ts';
import type { Database } from '../ports/database/database.ts';
import { describePostgres } from '../ports/database/postgres-address.ts';
import { isLasting } from '../ports/database/postgres-error.ts';
import { claimDatabase, type PostgresOptions } from '../ports/database/postgres.ts';
import { StartError } from '../lib/start-error.ts';
import { connectionsOf, OWNER_CONNECTIONS } from './database-connections.ts';
import { postgresDatabase } from './databases.ts';
import type { EngineParts, OwnerPurpose } from './engines.ts';
import { openFolderDatabase, openFolderDatabaseForOwner } from './file-database.ts';

/** Opens the database of an instance and claims it. Throws StartError. */
export async function openDatabase(parts: EngineParts): Promise<Database> {
  const { config, resources } = parts;
  const { databaseUrl, redisUrl } = config.deployment.engines;
  if (databaseUrl === undefined) return openFolderDatabase(parts);
  // Claimed first, because nobody may change tables that another process uses exclusively.
  const isAlone = redisUrl === undefined;
  resources.use(await claim(parts, databaseUrl, isAlone ? 'alone' : 'together'));
  const connections = connectionsOf(config.deployment.components);
  return openServer(parts, databaseUrl, { connections, isAlone });
}

/** Opens the database for an owner's command, which does not claim it. Throws StartError. */
export function openDatabaseForOwner(parts: EngineParts, purpose: OwnerPurpose): Promise<Database> {
  const { databaseUrl } = parts.config.deployment.engines;
  return databaseUrl === undefined
    ? openFolderDatabaseForOwner(parts, purpose)
    : openServer(parts, databaseUrl, { connections: OWNER_CONNECTIONS });
}

async function openServer(
  { config, log }: EngineParts,
  url: string,
  use: Pick<PostgresOptions, 'connections' | 'isAlone'>,
): Promise<Database> {
  const database = await connectWithin({
    ...reaching({ config, log }, url),
    connect: () => postgresDatabase(url, { log, ...use }),
  });
  try {
    await acceptMove(database);
    return database;
  } catch (error) {
    await database[Symbol.asyncDispose]();
    throw error;
  }
}

async function claim(
  { config, log }: EngineParts,
  url: string,
  use: 'alone' | 'together',
): Promise<AsyncDisposable> {
  const claimed = await connectWithin({
    ...reaching({ config, log }, url),
    connect: () => claimDatabase(url, use, { log }),
  });
  if (claimed !== undefined) return claimed;
  const place = describePostgres(url);
  throw new StartError(
    use === 'alone'
      ? `REDIS_URL: expected, because another process uses ${place}: processes that share a database share Redis`
      : `REDIS_URL: another process uses ${place} without it: set it for that process, too, or stop that process`,
  );
}

/** Returns how to connect to the PostgreSQL that `variable` names. */
export function reaching(
  { config, log }: Pick<EngineParts, 'config' | 'log'>,
  url: string,
  variable = 'DATABASE_URL',
): Omit<Reaching<never>, 'connect'> {
  return {
    variable,
    place: describePostgres(url),
    timeoutMs: config.deployment.engines.connectTimeoutMs,
    log,
    isLasting,
  };
}
