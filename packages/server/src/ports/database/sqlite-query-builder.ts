import { Kysely, sql, SqliteAdapter, SqliteDialect, SqliteDriver } from 'kysely';
import { Migrator } from 'kysely/migration';
import type { SqliteFile } from '../../runtime/sqlite.ts';
import type { Reader, Writer } from './database.ts';
import { MIGRATION_TABLE, migrations } from './migrations.ts';
import { beginImmediate, rollBack } from './sqlite-busy.ts';
import { REVISION_SETTING, type Tables } from './tables.ts';

/** SQLite takes the write lock at the first write by default; a transaction that has read before could then fail. */
class ImmediateDriver extends SqliteDriver {
  readonly #file: SqliteFile;

  constructor(file: SqliteFile) {
    super({ database: file });
    this.#file = file;
  }

  override async beginTransaction(): Promise<void> {
    await beginImmediate(this.#file);
  }

  override async commitTransaction(): Promise<void> {
    this.#file.exec('commit');
  }

  // The caller is to hear of what went wrong before, such as a full disk.
  override async rollbackTransaction(): Promise<void> {
    rollBack(this.#file);
  }
}

/** All migrations are one transaction, so that neither a kill nor another process comes between them. */
class TransactionalAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

class ImmediateDialect extends SqliteDialect {
  readonly #file: SqliteFile;

  constructor(file: SqliteFile) {
    super({ database: file });
    this.#file = file;
  }

  override createAdapter(): SqliteAdapter {
    return new TransactionalAdapter();
  }

  override createDriver(): SqliteDriver {
    return new ImmediateDriver(this.#file);
  }
}

/** Reads through `file`. */
export function readerOf(file: SqliteFile): Reader {
  return new Kysely<Tables>({ dialect: new SqliteDialect({ database: file }) });
}

/** Reads and, in transactions that lock at once, writes through `file`. */
export function writerOf(file: SqliteFile): Kysely<Tables> {
  return new Kysely<Tables>({ dialect: new ImmediateDialect(file) });
}

/** Makes the revision another one, as soon as the transaction is committed. */
export async function raiseRevision(db: Writer): Promise<void> {
  await db
    .insertInto('settings')
    .values({ name: REVISION_SETTING, value: '1' })
    .onConflict((conflict) =>
      conflict.column('name').doUpdateSet({ value: sql`cast(settings.value as bigint) + 1` }),
    )
    .execute();
}

/** Brings the file to the newest schema. */
export async function migrateToLatest(file: SqliteFile): Promise<void> {
  const migrator = new Migrator({
    db: writerOf(file),
    provider: { getMigrations: () => Promise.resolve({ ...migrations }) },
    migrationTableName: MIGRATION_TABLE,
  });
  const { error } = await migrator.migrateToLatest();
  if (error !== undefined) throw error;
}
