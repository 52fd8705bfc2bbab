import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import { unfitError } from './unfit-error.ts';

// Guarantee: a migration knows its own moment of the schema, not the current `Tables`; Kysely's type for that is unknown.
type Schema = Kysely<unknown>;

const first: Migration = {
  async up(db: Schema) {
    await db.schema
      .createTable('settings')
      .addColumn('name', 'text', (column) => column.primaryKey())
      .addColumn('value', 'text', (column) => column.notNull())
      .execute();
    await db.schema
      .createTable('contents')
      .addColumn('blob_key', 'text', (column) => column.primaryKey())
      .addColumn('bucket', 'text', (column) => column.notNull())
      .addColumn('sha256', 'text', (column) => column.notNull())
      .addColumn('size_bytes', 'bigint', (column) => column.notNull())
      .addColumn('content_type', 'text', (column) => column.notNull())
      .addColumn('metadata', 'text', (column) => column.notNull())
      .addUniqueConstraint('contents_once_a_bucket', ['bucket', 'sha256'])
      .execute();
    await db.schema
      .createTable('discarded_blobs')
      .addColumn('blob_key', 'text', (column) => column.primaryKey())
      .execute();
    await createFileTables(db);
  },
};

async function createFileTables(db: Schema): Promise<void> {
  await db.schema
    .createTable('uploads')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('bucket', 'text', (column) => column.notNull())
    .addColumn('blob_key', 'text', (column) => column.notNull().references('contents.blob_key'))
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('spoiler', 'integer', (column) => column.notNull())
    .addColumn('uploaded_at_ms', 'bigint', (column) => column.notNull())
    .execute();
  await db.schema.createIndex('uploads_blob_key').on('uploads').column('blob_key').execute();
  await db.schema
    .createTable('statics')
    .addColumn('name', 'text', (column) => column.primaryKey())
    .addColumn('blob_key', 'text', (column) => column.notNull().references('contents.blob_key'))
    .addColumn('content_type', 'text', (column) => column.notNull())
    .addColumn('added_at_ms', 'bigint', (column) => column.notNull())
    .execute();
  await db.schema.createIndex('statics_blob_key').on('statics').column('blob_key').execute();
}

const lobbyHistory: Migration = {
  async up(db: Schema) {
    await db.schema
      .createTable('message_groups')
      .addColumn('first_id', 'text', (column) => column.primaryKey())
      .addColumn('last_id', 'text', (column) => column.notNull())
      .addColumn('last_number', 'bigint', (column) => column.notNull())
      .addColumn('newest_ms', 'bigint', (column) => column.notNull())
      .addColumn('messages', 'text', (column) => column.notNull())
      .execute();
    await db.schema
      .createIndex('message_groups_last_number')
      .on('message_groups')
      .column('last_number')
      .execute();
  },
};

/** Where it is noted which migrations a database has had; its name is never changed. */
export const MIGRATION_TABLE = 'kysely_migration';

/** Every change of the schema, oldest first; the key gives the order and is never changed. */
export const migrations: Readonly<Record<string, Migration>> = {
  '001-documented-interface': first,
  '002-lobby-history': lobbyHistory,
};

/** Whether a database that has had these migrations needs no other. Throws where it has had one of a newer Hearth. */
export function isUpToDate(applied: readonly string[]): boolean {
  const unknown = applied.find((name) => !Object.hasOwn(migrations, name));
  if (unknown !== undefined) {
    throw unfitError(
      `it belongs to a newer Hearth (${unknown}): start that one, or restore a backup of before`,
    );
  }
  return Object.keys(migrations).every((name) => applied.includes(name));
}
