import { afterAll, beforeAll, describe } from 'bun:test';
import { join } from 'node:path';
import { jsonLogger } from '../../src/log/logger.ts';
import type { Database } from '../../src/ports/database/database.ts';
import { postgresDatabase } from '../../src/ports/database/postgres.ts';
import { sqliteDatabase } from '../../src/ports/database/sqlite.ts';
import { hasPostgres, startPostgres, type PostgresServer } from './postgres-server.ts';
import { tempFolder } from './temp-folder.ts';

/** Declares the tests of `declare` once for each engine; they are handed what opens an empty database of it. */
export function onEachDatabase(declare: (open: () => Promise<Database>) => void): void {
  describe('on sqlite', () => declare(openSqlite));
  describe.skipIf(!hasPostgres)('on postgres', () => {
    let server: PostgresServer | undefined;
    beforeAll(async () => {
      server = await startPostgres();
    });
    afterAll(() => server?.[Symbol.asyncDispose]());
    declare(async () => {
      const url = (await server?.createDatabase()) ?? '';
      return postgresDatabase(url, { log: jsonLogger('silent', () => {}) });
    });
  });
}

async function openSqlite(): Promise<Database> {
  await using resources = new AsyncDisposableStack();
  const folder = resources.use(await tempFolder());
  const database = resources.use(await sqliteDatabase(join(folder.path, 'hearth.sqlite')));
  const owned = resources.move();
  return { ...database, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}
