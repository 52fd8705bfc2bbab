import { expect, test } from 'bun:test';
import { chmod, open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { z } from 'zod';
import { openingProcess } from '@hearth/testing/ports/open-unprivileged';
import { tempFolder } from '@hearth/testing/temp-folder';
import { errorCode } from '../../lib/error-code.ts';
import { openSqlite } from '../../runtime/sqlite.ts';
import { sqliteDatabase } from '../../engines/databases.ts';

async function failure(opened: Promise<AsyncDisposable>): Promise<string> {
  try {
    await using database = await opened;
    return `no failure of ${typeof database}`;
  } catch (error) {
    return String(error);
  }
}

/** The tables that migrations have created, in alphabetical order. */
function tablesOf(path: string): readonly string[] {
  const file = openSqlite(path);
  const rows = file
    .prepare(
      `select name from sqlite_master
        where type = 'table' and name not like 'kysely%' and name not like 'sqlite%' order by name`,
    )
    .all([]);
  file.close();
  return z
    .array(z.object({ name: z.string() }))
    .parse(rows)
    .map(({ name }) => name);
}

test('an interrupted migration is rolled back, and the next start runs it from the beginning', async () => {
  await using folder = await tempFolder();
  const whole = join(folder.path, 'whole.sqlite');
  await (await sqliteDatabase(whole))[Symbol.asyncDispose]();
  const tables = tablesOf(whole);
  expect(tables.length).toBeGreaterThan(4);
  const path = join(folder.path, 'interrupted.sqlite');
  for (const table of tables) {
    const file = openSqlite(path);
    // The table is in the way, so the migration fails after it has created the tables before this one.
    file.exec(`create table ${table} (name text)`);
    expect(await failure(sqliteDatabase(path))).toContain(table);
    expect(tablesOf(path)).toEqual([table]);
    file.exec(`drop table ${table}`);
    file.close();
  }
  await using _database = await sqliteDatabase(path);
  expect(tablesOf(path)).toEqual(tables);
});

test('a file that is not a database is refused and not changed', async () => {
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

test('a read-only file is refused, and no file is created next to it', async () => {
  await using folder = await tempFolder();
  await chmod(folder.path, 0o777);
  const path = join(folder.path, 'hearth.sqlite');
  await (await sqliteDatabase(path))[Symbol.asyncDispose]();
  await chmod(path, 0o444);
  await using opening = openingProcess('database', path);
  expect(await opening.says()).toContain('EACCES');
  expect(await readdir(folder.path)).toEqual(['hearth.sqlite']);
});

test('a file that SQLite cannot write to is refused', async () => {
  await using folder = await tempFolder();
  const path = join(folder.path, 'hearth.sqlite');
  await (await sqliteDatabase(path))[Symbol.asyncDispose]();
  await using file = await open(path, 'r+');
  // The version of the format for writers, which no SQLite knows.
  await file.write(Uint8Array.of(255), 0, 1, 18);
  expect(await failure(sqliteDatabase(path))).toContain('readonly');
});

test('every commit is synced, and a writer does not lock readers out', async () => {
  await using folder = await tempFolder();
  const path = join(folder.path, 'hearth.sqlite');
  await using database = await sqliteDatabase(path);
  const pragma = (name: string) =>
    database.transaction(({ sql: writer }) => sql`pragma ${sql.raw(name)}`.execute(writer));
  expect((await pragma('synchronous')).rows).toEqual([{ synchronous: 2 }]);
  expect((await pragma('journal_mode')).rows).toEqual([{ journal_mode: 'wal' }]);
  const other = openSqlite(path);
  const inserted = () => other.prepare("select value from settings where name = 'a'").all([]);
  await database.transaction(async ({ sql: writer }) => {
    await writer.insertInto('settings').values({ name: 'a', value: '1' }).execute();
    expect(inserted()).toEqual([]);
  });
  expect(inserted()).toEqual([{ value: '1' }]);
  other.close();
});

test('the reader of a database cannot write', async () => {
  await using folder = await tempFolder();
  await using database = await sqliteDatabase(join(folder.path, 'hearth.sqlite'));
  const write = database.reader.insertInto('settings').values({ name: 'a', value: '1' }).execute();
  await expect(write).rejects.toThrow('readonly');
});

test('a transaction rejects with SQLITE_FULL if the disk is full, and later ones work again', async () => {
  await using folder = await tempFolder();
  await using database = await sqliteDatabase(join(folder.path, 'hearth.sqlite'));
  const allowPages = (most: number) =>
    database.transaction(({ sql: writer }) =>
      sql`pragma max_page_count = ${sql.lit(most)}`.execute(writer),
    );
  const insert = (name: string, value: string) =>
    database.transaction(async ({ sql: writer }) => {
      await writer
        .insertInto('settings')
        .values({ name: `${name} too`, value: '' })
        .execute();
      await writer.insertInto('settings').values({ name, value }).execute();
    });
  const names = async () =>
    (await database.reader.selectFrom('settings').select('name').execute()).map(({ name }) => name);

  // A limit below the present size means the present size.
  await allowPages(1);
  const failed: unknown = await insert('large', 'x'.repeat(100_000)).catch((error) => error);
  expect(errorCode(failed)).toBe('SQLITE_FULL');
  expect(await names()).toEqual([]);

  await allowPages(1_000_000);
  await insert('small', '1');
  expect((await names()).toSorted()).toEqual(['small', 'small too']);
});
