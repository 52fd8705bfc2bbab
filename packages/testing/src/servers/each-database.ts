import { afterAll, beforeAll, describe } from 'bun:test';
import { join } from 'node:path';
import { jsonLogger } from '../../../server/src/log/logger.ts';
import type { Database } from '../../../server/src/ports/database/database.ts';
import { postgresDatabase } from '../../../server/src/ports/database/postgres.ts';
import { sqliteDatabase } from '../../../server/src/ports/database/sqlite.ts';
import { MIGRATIONS, type Migrations } from '../../../server/src/schema.ts';
import { hasPostgres } from './postgres-server.ts';
import { sharedPostgres, type SharedPostgres } from './shared-postgres.ts';
import { tempFolder } from '../temp-folder.ts';

/** A test's own database. */
export interface TestDatabase extends Database {
  /** Opens it again, as another process would. */
  openAgain(): Promise<Database>;
}

const log = jsonLogger('silent', () => {});

/** Declares the tests of `declare` once for each engine, with a function that opens an empty database. */
export function onEachDatabase(
  declare: (open: () => Promise<TestDatabase>) => void,
  migrations = MIGRATIONS,
): void {
  describe('on sqlite', () => declare(() => openSqlite(migrations)));
  describe.skipIf(!hasPostgres)('on postgres', () => {
    let server: SharedPostgres | undefined;
    let migrated: string | undefined;
    beforeAll(async () => {
      server = await sharedPostgres();
      migrated = await server.createDatabase();
      await (await postgresDatabase(migrated, { log, migrations }))[Symbol.asyncDispose]();
    });
    afterAll(() => server?.[Symbol.asyncDispose]());
    declare(async () => {
      // An empty database with the migrations takes three times as long.
      const url = (await server?.createDatabase(migrated)) ?? '';
      const openAgain = () => postgresDatabase(url, { log, migrations });
      return { ...(await openAgain()), openAgain };
    });
  });
}

async function openSqlite(migrations: Migrations): Promise<TestDatabase> {
  await using resources = new AsyncDisposableStack();
  const folder = resources.use(await tempFolder());
  const openAgain = () => sqliteDatabase(join(folder.path, 'hearth.sqlite'), { migrations });
  const database = resources.use(await openAgain());
  const owned = resources.move();
  return { ...database, openAgain, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}
