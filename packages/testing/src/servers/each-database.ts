import { afterAll, beforeAll, describe } from 'bun:test';
import { join } from 'node:path';
import type { Database, Reader } from '../../../server/src/ports/database/database.ts';
import { sqliteDatabase } from '../../../server/src/engines/databases.ts';
import { MIGRATIONS } from '../../../server/src/schema.ts';
import type { Migrations } from '../../../server/src/ports/database/table-data.ts';
import { lockingOnce } from '../ports/lock-order.ts';
import { readTableKeys, type TableKeys } from '../ports/row-locks.ts';
import { writeMigratedSqlite } from './migrated-sqlite.ts';
import { patientPostgres } from './patient-postgres.ts';
import { hasPostgres } from './postgres-server.ts';
import { sharedPostgres, type SharedPostgres } from './shared-postgres.ts';
import type { TestDatabaseAddress } from './test-database.ts';
import { tempFolder } from '../temp-folder.ts';

/** A test's own database. */
export interface TestDatabase extends Database {
  readonly engine: 'sqlite' | 'postgres';
  readonly address: TestDatabaseAddress;
  /** Opens it again with connections of its own, as another process would. */
  openAgain(): Promise<Database>;
  /** The database for tests whose transactions lock in an order that no other transaction has. */
  readonly unchecked: Database;
}

/**
 * Declares the tests of `declare` once for each engine, with a function that opens an empty database. Migrations other than
 * the usual ones come after those.
 */
export function onEachDatabase(
  declare: (open: () => Promise<TestDatabase>, engine: TestDatabase['engine']) => void,
  migrations = MIGRATIONS,
): void {
  describe('on sqlite', () => declare(() => openSqlite(migrations), 'sqlite'));
  describe.skipIf(!hasPostgres)('on postgres', () => {
    let server: SharedPostgres | undefined;
    beforeAll(async () => {
      server = await sharedPostgres();
    });
    afterAll(() => server?.[Symbol.asyncDispose]());
    declare(async () => {
      const url = (await server?.createMigrated()) ?? '';
      const open = () => patientPostgres(url, migrations);
      const checked = async (database: Database) =>
        lockingOnce(database, await keysOf(migrations, database.reader));
      const unchecked = await open();
      const openAgain = async () => await checked(await open());
      const engine = 'postgres';
      const address = { engine, url } as const;
      return { ...(await checked(unchecked)), engine, openAgain, address, unchecked };
    }, 'postgres');
  });
}

/** The keys of the tables that migrations make: to read them takes half as long as to copy a database. */
const keys = new Map<Migrations, Promise<TableKeys>>();

function keysOf(migrations: Migrations, reader: Reader): Promise<TableKeys> {
  return keys.getOrInsertComputed(migrations, () => readTableKeys(reader));
}

async function openSqlite(migrations: Migrations): Promise<TestDatabase> {
  await using resources = new AsyncDisposableStack();
  const folder = resources.use(await tempFolder());
  const path = join(folder.path, 'hearth.sqlite');
  await writeMigratedSqlite(path);
  const openAgain = () => sqliteDatabase(path, { migrations });
  const database = resources.use(await openAgain());
  const owned = resources.move();
  return {
    ...database,
    engine: 'sqlite',
    openAgain,
    unchecked: database,
    address: { engine: 'sqlite', path },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}
