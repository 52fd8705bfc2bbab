import type { Logger } from '../../log/logger.ts';
import { MIGRATIONS, type Migrations } from '../../schema.ts';
import type { Database } from './database.ts';
import type { DatabaseUse } from './postgres-claim.ts';

/** What an operation may take, in milliseconds, so that a request that needs it is answered within 3 s. */
const TIMEOUT_MS = 2_500;

/** What a process has open for its operations; two more are its claim and its ears. */
const MAX_CONNECTIONS = 20;

/** How long a process that is ending may be in the way, in milliseconds. */
const CLAIM_WAIT_MS = 2_000;

/** How long the server may take to notice that the connection is lost which had the claim, in milliseconds. */
const CLAIM_PATIENCE_MS = 10_000;

/** What a database is opened with. */
export interface PostgresOptions {
  /** Is told of a lost connection. */
  readonly log: Logger;
  /** For tests with tables of their own. */
  readonly migrations?: Migrations;
}

/**
 * The engine for several processes: a database of PostgreSQL 14 or newer, brought to the newest schema. Every operation
 * answers or fails within 2.5 s, and the end of a transaction 0.25 s later, also where the server is paused or gone, and connections are made anew when it is back.
 * Rejects where the server cannot be reached or refuses, is too old, or the database belongs to a newer Hearth; no error
 * tells the password.
 */
export async function postgresDatabase(
  url: string,
  { log, migrations = MIGRATIONS }: PostgresOptions,
): Promise<Database> {
  const { openPostgres } = await import('./postgres-engine.ts');
  const bounds = { timeoutMs: TIMEOUT_MS, maxConnections: MAX_CONNECTIONS };
  return openPostgres(url, { log, migrations, ...bounds });
}

/**
 * Claims a database of PostgreSQL for the only process that runs on it (`alone`), or beside others that claim it
 * `together`. Undefined where others are in the way for 2 s. A claim that is lost with its connection is made again by
 * itself; where another process came first, the log tells of it. Rejects likewise.
 */
export async function claimDatabase(
  url: string,
  use: DatabaseUse,
  { log }: PostgresOptions,
): Promise<AsyncDisposable | undefined> {
  const { claimPostgres } = await import('./postgres-engine.ts');
  return claimPostgres(url, use, {
    log,
    timeoutMs: TIMEOUT_MS,
    waitMs: CLAIM_WAIT_MS,
    patienceMs: CLAIM_PATIENCE_MS,
  });
}
