import { isUpToDate, MIGRATION_TABLE, runMigrations } from './migration.ts';
import {
  PostgresConnection,
  type PostgresConfig,
  type Query as PostgresQuery,
} from './postgres-connection.ts';
import { LeaseConnection, postgresKysely } from './postgres-kysely.ts';
import type { Migrations } from './table-data.ts';
import { LOCKS } from './postgres-locks.ts';
import { BEGIN } from './postgres-transactions.ts';
import { unsupportedServerError } from './unsupported-server-error.ts';

const OLDEST_VERSION = 14;
const ENCODING = 'UTF8';

/** The time in milliseconds that migrations may take, including those of another process that run first. */
const MIGRATION_MS = 600_000;

const BEGIN_MIGRATION = [
  BEGIN,
  'set local statement_timeout = 0',
  'set local lock_timeout = 0',
  `select pg_advisory_xact_lock(${LOCKS.migration})`,
].join('; ');

/** Facts that a PostgreSQL server reports about itself. */
export interface PostgresTraits {
  /** Such as 150004. */
  readonly versionNumber: number;
  readonly version: string;
  readonly encoding: string;
}

type Query = <Row>(text: string) => Promise<readonly Row[]>;

/**
 * Brings a database to the newest schema, and returns the connection that has done so. Throws if Hearth cannot work with
 * the database.
 */
export async function bringUpToDate(
  config: PostgresConfig,
  migrations: Migrations,
): Promise<PostgresConnection> {
  const connection = await PostgresConnection.open(config);
  try {
    const query: Query = async (text) =>
      (await connection.query({ text, values: [] }, config.timeoutMs)).rows;
    await refuseUnsupportedServer(query);
    if (!isUpToDate(migrations, await appliedMigrations(query))) {
      await migrate(connection, migrations);
    }
    return connection;
  } catch (error) {
    await connection.close();
    throw error;
  }
}

/** Throws if Hearth cannot work with such a server. */
export function refuseUnsupported({ versionNumber, version, encoding }: PostgresTraits): void {
  if (versionNumber < OLDEST_VERSION * 10_000) {
    throw unsupportedServerError(
      `it is PostgreSQL ${version}: Hearth needs ${OLDEST_VERSION} or newer`,
    );
  }
  if (encoding !== ENCODING) {
    throw unsupportedServerError(
      `its encoding is ${encoding}: create the database with encoding '${ENCODING}'`,
    );
  }
}

async function refuseUnsupportedServer(query: Query): Promise<void> {
  const rows = await query<PostgresTraits>(
    `select current_setting('server_version_num')::integer as "versionNumber",
      current_setting('server_version') as "version", current_setting('server_encoding') as "encoding"`,
  );
  for (const traits of rows) refuseUnsupported(traits);
}

async function appliedMigrations(query: Query): Promise<readonly string[]> {
  const tables = await query(`select where to_regclass('${MIGRATION_TABLE}') is not null`);
  if (tables.length === 0) return [];
  const rows = await query<{ readonly name: string }>(`select name from ${MIGRATION_TABLE}`);
  return rows.map(({ name }) => name);
}

// All migrations run in one transaction, and processes that start at the same time wait for it. That takes an advisory
// lock, because row locks do not keep two processes from creating the same tables.
async function migrate(connection: PostgresConnection, migrations: Migrations): Promise<void> {
  const query: Query = async (text) =>
    (await connection.query({ text, values: [] }, MIGRATION_MS)).rows;
  await query(BEGIN_MIGRATION);
  if (!isUpToDate(migrations, await appliedMigrations(query))) {
    const runs = { query: (each: PostgresQuery) => connection.query(each, MIGRATION_MS) };
    // If this fails, the transaction ends with the connection and is rolled back.
    await runMigrations(postgresKysely().writer(new LeaseConnection(runs)), migrations);
    await compareByBytes(query);
  }
  await query('commit');
}

// This gives texts the same order in every database, whatever its locale, and no update of the system's locales breaks
// an index. Migrations need not do it for each column, because the tables that they create are empty.
async function compareByBytes(query: Query): Promise<void> {
  const columns = await query<{ readonly table: string; readonly column: string }>(
    `select quote_ident(c.relname) as table, quote_ident(a.attname) as column
      from pg_attribute a join pg_class c on c.oid = a.attrelid
      where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r'
        and c.relname not like 'kysely%' and a.attnum > 0 and not a.attisdropped
        and a.atttypid = 'text'::regtype and a.attcollation <> '"C"'::regcollation
      order by c.relname, a.attnum`,
  );
  for (const { table, column } of columns) {
    await query(`alter table ${table} alter column ${column} type text collate "C"`);
  }
}
