import type { Logger } from '../../log/logger.ts';
import type { Migrations, TableList } from './table-data.ts';
import type { ChangeKind, Database } from './database.ts';
import type { DatabaseUse } from './postgres-claim.ts';

/** The time limit of an operation, in milliseconds, so that a request that needs it is answered within 3 s. */
const TIMEOUT_MS = 2_500;

/** The largest number of connections that the operations of a process use unless it says otherwise. */
const CONNECTIONS = 16;

/** The time in milliseconds to wait for a process that is ending. */
const CLAIM_WAIT_MS = 2_000;

/** The time in milliseconds that the server may take to notice that the connection with the claim is lost. */
const CLAIM_PATIENCE_MS = 10_000;

/** Options of a database. */
export interface PostgresOptions {
  /** Logs lost connections. */
  readonly log: Logger;
  /** The largest number of connections that the operations use. One more listens for changes. */
  readonly connections?: number;
  /** True if no other process serves clients. Then changes wait for none. */
  readonly isAlone?: boolean;
  readonly migrations: Migrations;
  /** The tables that the migrations make. */
  readonly tables: TableList;
  /** The kinds of changes that only set something going, so that nobody waits until all processes know them. */
  readonly starting: ReadonlySet<ChangeKind>;
  /** For tests: the time limit of an operation, in milliseconds. */
  readonly timeoutMs?: number;
}

/**
 * The engine for several processes: a database of PostgreSQL 14 or newer, brought to the newest schema. Every operation
 * resolves or rejects within 2.5 s, and the end of a transaction 0.25 s later, even if the server is paused or gone. A
 * transaction that the server ended because of a deadlock or a serialization failure runs again, each time with 2.5 s.
 * Lost connections are made again when the server is back. Rejects if the server cannot be reached, refuses the
 * connection or is too old, or if an earlier or a newer Hearth made the database. No error contains the password.
 */
export async function postgresEngine(
  url: string,
  {
    log,
    connections = CONNECTIONS,
    isAlone = false,
    migrations,
    tables,
    starting,
    timeoutMs = TIMEOUT_MS,
  }: PostgresOptions,
): Promise<Database> {
  const { openPostgres } = await import('./postgres-engine.ts');
  const maxConnections = connections;
  const schema = { migrations, tables, starting };
  return openPostgres(url, { log, ...schema, timeoutMs, maxConnections, isAlone });
}

/**
 * Claims a PostgreSQL database for the only process that runs on it (`alone`), or for one of several that run on it
 * `together`. Returns undefined if others are in the way for 2 s. A claim that is lost with its connection is made
 * again, and it is logged if another process was faster. Rejects if the server cannot be reached or refuses the
 * connection. No error contains the password.
 */
export async function claimDatabase(
  url: string,
  use: DatabaseUse,
  { log }: Pick<PostgresOptions, 'log'>,
): Promise<AsyncDisposable | undefined> {
  const { claimPostgres } = await import('./postgres-engine.ts');
  return claimPostgres(url, use, {
    log,
    timeoutMs: TIMEOUT_MS,
    waitMs: CLAIM_WAIT_MS,
    patienceMs: CLAIM_PATIENCE_MS,
  });
}
