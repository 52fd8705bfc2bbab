import { expect, test } from 'bun:test';
import { join } from 'node:path';
import { sql } from 'kysely';
import { tempFolder } from '../../../test/support/temp-folder.ts';
import { openSqlite } from '../../runtime/sqlite.ts';
import { sqliteDatabase } from './sqlite.ts';

async function failure(opened: Promise<AsyncDisposable>): Promise<string> {
  try {
    await using database = await opened;
    return `no failure of ${typeof database}`;
  } catch (error) {
    return String(error);
  }
}

test('a migration that is interrupted leaves nothing behind, so that the next start begins anew', async () => {
  await using folder = await tempFolder();
  const path = join(folder.path, 'hearth.sqlite');
  const file = openSqlite(path);
  // The last of the tables is in the way, so that the first ones are made before it fails.
  file.exec('create table statics (name text)');
  expect(await failure(sqliteDatabase(path))).toContain('statics');
  file.exec('drop table statics');
  file.close();
  await using database = await sqliteDatabase(path);
  expect(await database.reader.selectFrom('statics').selectAll().execute()).toEqual([]);
});

test('a file that is no database is refused and left as it is', async () => {
  await using folder = await tempFolder();
  const path = join(folder.path, 'hearth.sqlite');
  const text = 'a diary, not a database\n'.repeat(100);
  await Bun.write(path, text);
  expect(await failure(sqliteDatabase(path))).toContain('not a database');
  expect(await Bun.file(path).text()).toBe(text);
});

test('a file that cannot be opened is refused', async () => {
  await using folder = await tempFolder();
  expect(await failure(sqliteDatabase(folder.path))).toContain('SQLiteError');
  expect(await failure(sqliteDatabase(join(folder.path, 'missing', 'a.sqlite')))).toContain(
    'SQLiteError',
  );
});

test('every commit is synced, and a writer does not lock readers out', async () => {
  await using folder = await tempFolder();
  const path = join(folder.path, 'hearth.sqlite');
  await using database = await sqliteDatabase(path);
  const synchronous = await sql`pragma synchronous`.execute(database.reader);
  const journal = await sql`pragma journal_mode`.execute(database.reader);
  expect([...synchronous.rows, ...journal.rows]).toEqual([
    { synchronous: 2 },
    { journal_mode: 'wal' },
  ]);
  const other = openSqlite(path);
  await database.transaction(async (writer) => {
    await writer.insertInto('settings').values({ name: 'a', value: '1' }).execute();
    expect(other.prepare('select count(*) as count from settings').all([])).toEqual([{ count: 0 }]);
  });
  expect(other.prepare('select count(*) as count from settings').all([])).toEqual([{ count: 1 }]);
  other.close();
});
