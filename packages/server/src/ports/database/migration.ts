import type { Kysely } from 'kysely';
import { Migrator, type Migration } from 'kysely/migration';
import { unsupportedServerError } from './unsupported-server-error.ts';

/** The table of the migrations that a database has had. Its name must never change. */
export const MIGRATION_TABLE = 'kysely_migration';

/** Changes of a schema by name. The names give their order. */
type Migrations = Readonly<Record<string, Migration>>;

/** Whether a database with these migrations needs no others. Throws if it has had a migration of a newer Hearth. */
export function isUpToDate(migrations: Migrations, applied: readonly string[]): boolean {
  const unknown = applied.find((name) => !Object.hasOwn(migrations, name));
  if (unknown !== undefined) {
    throw unsupportedServerError(
      `it belongs to a newer Hearth (${unknown}): start that version, or restore an older backup`,
    );
  }
  return Object.keys(migrations).every((name) => applied.includes(name));
}

/** Runs the missing migrations in the caller's transaction. If this throws, the caller has to roll back. */
export async function runMigrations<Tables>(
  db: Kysely<Tables>,
  migrations: Migrations,
): Promise<void> {
  const migrator = new Migrator({
    db,
    provider: { getMigrations: async () => ({ ...migrations }) },
    migrationTableName: MIGRATION_TABLE,
  });
  const { error } = await migrator.migrateToLatest();
  if (error !== undefined) throw error;
}
