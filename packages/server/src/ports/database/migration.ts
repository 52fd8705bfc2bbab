import { Migrator } from 'kysely/migration';
import { STORED_FORMAT } from '../stored-format.ts';
import type { Writer } from './database.ts';
import type { Migrations } from './table-data.ts';
import { unsupportedServerError } from './unsupported-server-error.ts';

/** The table of the migrations that a database has had. Its name must never change. */
export const MIGRATION_TABLE = 'kysely_migration';

/**
 * Returns whether all migrations have run in a database. Throws if it has one that this version does not know: one of an earlier
 * format or of a newer version.
 */
export function isUpToDate(migrations: Migrations, applied: readonly string[]): boolean {
  const recorded = Object.keys(migrations).map(recordedName);
  const unknown = applied.find((name) => !recorded.includes(name));
  if (unknown !== undefined) throw unsupportedServerError(refusalOf(unknown));
  return recorded.every((name) => applied.includes(name));
}

/** Runs the missing migrations in the caller's transaction. If this throws, the caller has to roll back. */
export async function runMigrations(db: Writer, migrations: Migrations): Promise<void> {
  const named = Object.entries(migrations).map(([name, each]) => [recordedName(name), each]);
  const migrator = new Migrator({
    db,
    provider: { getMigrations: async () => Object.fromEntries(named) },
    migrationTableName: MIGRATION_TABLE,
  });
  const { error } = await migrator.migrateToLatest();
  if (error !== undefined) throw error;
}

/** The name of a migration in the database, such as `2.001-first`. */
export function recordedName(name: string): string {
  return `${STORED_FORMAT}.${name}`;
}

function refusalOf(unknown: string): string {
  // The first names had no format.
  const format = Number(/^(\d+)\./.exec(unknown)?.[1] ?? 0);
  return format < STORED_FORMAT
    ? `an earlier development version of Hearth made it (migration ${unknown}): start afresh with an empty data folder or database, or keep the version that made it`
    : `it belongs to a newer version of Hearth (migration ${unknown}): start that version, or restore an older backup`;
}
