import { sql } from 'kysely';
import { Migrator } from 'kysely/migration';
import { isUpToDate, MIGRATION_TABLE, migrations } from './migrations.ts';
import { LOCKS } from './postgres-locks.ts';
import type { PostgresPool } from './postgres-pool.ts';
import { BEGIN, queryBuilder } from './postgres-query-builder.ts';
import { unfitError } from './unfit-error.ts';

const OLDEST_VERSION = 14;
const ENCODING = 'UTF8';

/** How long migrations may take, together with those of another process that come first, in milliseconds. */
const MIGRATION_MS = 600_000;

const BEGIN_MIGRATION = [
  BEGIN,
  'set local statement_timeout = 0',
  'set local lock_timeout = 0',
  `select pg_advisory_xact_lock(${LOCKS.migration})`,
].join('; ');

/** What a PostgreSQL tells of itself. */
export interface PostgresTraits {
  /** Such as 150004. */
  readonly versionNumber: number;
  readonly version: string;
  readonly encoding: string;
}

type Query = <Row>(text: string) => Promise<readonly Row[]>;

/** Brings a database to the newest schema. Throws where Hearth cannot work with it. */
export async function bringUpToDate(pool: PostgresPool): Promise<void> {
  const lease = await pool.lease();
  try {
    const query: Query = async (text) => (await lease.query(text)).rows;
    await refuseUnfitServer(query);
    if (isUpToDate(await appliedMigrations(query))) return;
  } finally {
    lease.release();
  }
  await migrate(pool);
}

/** Throws where Hearth cannot work with such a PostgreSQL. */
export function refuseUnfit({ versionNumber, version, encoding }: PostgresTraits): void {
  if (versionNumber < OLDEST_VERSION * 10_000) {
    throw unfitError(`it is PostgreSQL ${version}: Hearth needs ${OLDEST_VERSION} or newer`);
  }
  if (encoding !== ENCODING) {
    throw unfitError(
      `its encoding is ${encoding}: create the database with encoding '${ENCODING}'`,
    );
  }
}

async function refuseUnfitServer(query: Query): Promise<void> {
  const rows = await query<PostgresTraits>(
    `select current_setting('server_version_num')::integer as "versionNumber",
      current_setting('server_version') as "version", current_setting('server_encoding') as "encoding"`,
  );
  for (const traits of rows) refuseUnfit(traits);
}

async function appliedMigrations(query: Query): Promise<readonly string[]> {
  const tables = await query(`select where to_regclass('${MIGRATION_TABLE}') is not null`);
  if (tables.length === 0) return [];
  const rows = await query<{ readonly name: string }>(`select name from ${MIGRATION_TABLE}`);
  return rows.map(({ name }) => name);
}

// One transaction for all of it, which others wait for that start at the same time.
async function migrate(pool: PostgresPool): Promise<void> {
  const db = queryBuilder(pool, { begin: BEGIN_MIGRATION, timeoutMs: MIGRATION_MS });
  await db.transaction().execute(async (writer) => {
    const query: Query = async <Row>(text: string) =>
      (await sql.raw<Row>(text).execute(writer)).rows;
    if (isUpToDate(await appliedMigrations(query))) return;
    const migrator = new Migrator({
      db: writer,
      provider: { getMigrations: () => Promise.resolve({ ...migrations }) },
      migrationTableName: MIGRATION_TABLE,
    });
    const { error } = await migrator.migrateToLatest();
    if (error !== undefined) throw error;
  });
}
