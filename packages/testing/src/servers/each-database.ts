import { afterAll, beforeAll, describe } from 'bun:test';
import { join } from 'node:path';
import type { Database } from '../../../server/src/ports/database/database.ts';
import { sqliteDatabase } from '../../../server/src/ports/database/sqlite.ts';
import { MIGRATIONS, type Migrations } from '../../../server/src/schema.ts';
import { lockingOnce } from '../ports/lock-order.ts';
import { readTableKeys } from '../ports/row-locks.ts';
import { writeMigratedSqlite } from './migrated-sqlite.ts';
import { patientPostgres } from './patient-postgres.ts';
import { hasPostgres } from './postgres-server.ts';
import { sharedPostgres, type SharedPostgres } from './shared-postgres.ts';
import { tempFolder } from '../temp-folder.ts';

/** A test's own database. */
export interface TestDatabase extends Database {
  /** Opens it again, as another process would. */
  openAgain(): Promise<Database>;
}

/**
 * Declares the tests of `declare` once for each engine, with a function that opens an empty database. Migrations other than
 * the usual ones come after those.
 */
export function onEachDatabase(
  declare: (open: () => Promise<TestDatabase>, engine: 'sqlite' | 'postgres') => void,
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
      const openAgain = async () => {
        const opened = await patientPostgres(url, migrations);
        return lockingOnce(opened, await readTableKeys(opened.reader));
      };
      return { ...(await openAgain()), openAgain };
    }, 'postgres');
  });
}

async function openSqlite(migrations: Migrations): Promise<TestDatabase> {
  await using resources = new AsyncDisposableStack();
  const folder = resources.use(await tempFolder());
  const path = join(folder.path, 'hearth.sqlite');
  await writeMigratedSqlite(path);
  const openAgain = () => sqliteDatabase(path, { migrations });
  const database = resources.use(await openAgain());
  const owned = resources.move();
  return { ...database, openAgain, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}
