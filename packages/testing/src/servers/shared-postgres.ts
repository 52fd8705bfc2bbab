import { createDatabase, dropDatabases } from './postgres-databases.ts';
import { startPostgres } from './postgres-server.ts';
import { testRun } from '../test-run.ts';

/** A PostgreSQL that other tests may share: no test stops it, or uses a database that it did not create. */
export interface SharedPostgres extends AsyncDisposable {
  readonly port: number;
  /** The address of a database that always exists. */
  readonly url: string;
  /** The address of a new database, which disposal removes: an empty one, or a copy of the one at an address. */
  createDatabase(copied?: string): Promise<string>;
  /** The address of a new database with the newest schema and no rows. */
  createMigrated(): Promise<string>;
}

/** Databases on the server of the run, or on a new one. A test that stops or pauses a server must start its own. */
export async function sharedPostgres(): Promise<SharedPostgres> {
  if (testRun.postgres === undefined) return await startPostgres();
  const { url, migrated } = testRun.postgres;
  const created: string[] = [];
  const create = async (copied?: string) => {
    const database = await createDatabase(url, copied);
    created.push(database);
    return database;
  };
  return {
    port: Number(new URL(url).port),
    url,
    createDatabase: create,
    createMigrated: () => create(migrated),
    [Symbol.asyncDispose]: () => dropDatabases(url, created),
  };
}
