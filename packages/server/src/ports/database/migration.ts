import type { Kysely } from 'kysely';
import { Migrator, type Migration } from 'kysely/migration';
import { unfitError } from './unfit-error.ts';

/** Where it is noted which migrations a database has had; its name is never changed. */
export const MIGRATION_TABLE = 'kysely_migration';

/** Changes of a schema, by their names, which give their order. */
type Migrations = Readonly<Record<string, Migration>>;

/** Whether a database that has had these migrations needs no other. Throws if it has had one of a newer Hearth. */
export function isUpToDate(migrations: Migrations, applied: readonly string[]): boolean {
  const unknown = applied.find((name) => !Object.hasOwn(migrations, name));
  if (unknown !== undefined) {
    throw unfitError(
      `it belongs to a newer Hearth (${unknown}): start that one, or restore a backup of before`,
    );
  }
  return Object.keys(migrations).every((name) => applied.includes(name));
}

/** Runs those that are missing, in a transaction of the caller's, which is to be rolled back if this throws. */
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
