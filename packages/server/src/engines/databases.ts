import type { ChangeKind, Database } from '../ports/database/database.ts';
import { postgresEngine, type PostgresOptions } from '../ports/database/postgres.ts';
import { sqliteEngine, type SqliteOptions } from '../ports/database/sqlite.ts';
import { MIGRATIONS } from '../schema.ts';

/** Changes that only set something going. Nobody waits until all processes know them. */
const STARTING: ReadonlySet<ChangeKind> = new Set(['jobs', 'outbox']);

/** A file with the tables of the instance, or with those of `migrations`. Throws what {@link sqliteEngine} throws. */
export function sqliteDatabase(
  path: string,
  { migrations = MIGRATIONS, log }: Partial<SqliteOptions> = {},
): Promise<Database> {
  return sqliteEngine(path, { migrations, log });
}

/** Options of a database on a server; it has the tables of the instance unless `migrations` are given. */
export type ServerDatabaseOptions = Omit<PostgresOptions, 'migrations' | 'starting'> &
  Partial<Pick<PostgresOptions, 'migrations'>>;

/** A database on a server. Rejects with what {@link postgresEngine} rejects with. */
export function postgresDatabase(
  url: string,
  { migrations = MIGRATIONS, ...options }: ServerDatabaseOptions,
): Promise<Database> {
  return postgresEngine(url, { ...options, migrations, starting: STARTING });
}
