import type { Kysely } from 'kysely';
import { Migrator, type Migration } from 'kysely/migration';
import { STORED_FORMAT } from '../../stored-format.ts';
import { unsupportedServerError } from './unsupported-server-error.ts';

/** The table of the migrations that a database has had. Its name must never change. */
export const MIGRATION_TABLE = 'kysely_migration';

/** Changes of a schema by name. The names give their order. */
type Migrations = Readonly<Record<string, Migration>>;

/** Whether a database with these migrations needs no others. Throws if it has had one of an earlier or a newer Hearth. */
export function isUpToDate(migrations: Migrations, applied: readonly string[]): boolean {
  const recorded = Object.keys(migrations).map(recordedName);
  const unknown = applied.find((name) => !recorded.includes(name));
  if (unknown !== undefined) throw unsupportedServerError(refusalOf(unknown));
  return recorded.every((name) => applied.includes(name));
}

/** Runs the missing migrations in the caller's transaction. If this throws, the caller has to roll back. */
export async function runMigrations<Tables>(
  db: Kysely<Tables>,
  migrations: Migrations,
): Promise<void> {
  const named = Object.entries(migrations).map(([name, each]) => [recordedName(name), each]);
  const migrator = new Migrator({
    db,
    provider: { getMigrations: async () => Object.fromEntries(named) },
    migrationTableName: MIGRATION_TABLE,
  });
  const { error } = await migrator.migrateToLatest();
  if (error !== undefined) throw error;
}

/** The name of a migration in the database, such as `1.001-first`. */
export function recordedName(name: string): string {
  return `${STORED_FORMAT}.${name}`;
}

function refusalOf(unknown: string): string {
  // The first names had no format.
  const format = Number(/^(\d+)\./.exec(unknown)?.[1] ?? 0);
  return format < STORED_FORMAT
    ? `an earlier development version made it (${unknown}): start afresh with an empty one, or keep the version that made it`
    : `it belongs to a newer Hearth (${unknown}): start that version, or restore an older backup`;
}
