import type { ChangeKind, Database } from '../ports/database/database.ts';
import { postgresEngine, type PostgresOptions } from '../ports/database/postgres.ts';
import { sqliteEngine, type SqliteOptions } from '../ports/database/sqlite.ts';
import { MIGRATIONS, TABLES } from '../schema.ts';

/** Changes that only set something going. Nobody waits until all processes know them. */
const STARTING: ReadonlySet<ChangeKind> = new Set(['jobs', 'outbox']);

/** A file with the tables of the instance, or with others. Throws what {@link sqliteEngine} throws. */
export function sqliteDatabase(
  path: string,
  { migrations = MIGRATIONS, tables = TABLES, log }: Partial<SqliteOptions> = {},
): Promise<Database> {
  return sqliteEngine(path, { migrations, tables, log });
}

/** Options of a database on a server; it has the tables of the instance unless others are given. */
export type ServerDatabaseOptions = Omit<PostgresOptions, 'migrations' | 'tables' | 'starting'> &
  Partial<Pick<PostgresOptions, 'migrations' | 'tables'>>;

/** A database on a server. Rejects with what {@link postgresEngine} rejects with. */
export function postgresDatabase(
  url: string,
  { migrations = MIGRATIONS, tables = TABLES, ...options }: ServerDatabaseOptions,
): Promise<Database> {
  return postgresEngine(url, { ...options, migrations, tables, starting: STARTING });
}
