import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { sql } from 'kysely';
import { Client } from 'pg';
import { freePorts } from '@hearth/testing/free-ports';
import { hasPostgres } from '@hearth/testing/servers/postgres-server';
import { sharedPostgres, type SharedPostgres } from '@hearth/testing/servers/shared-postgres';
import { jsonLogger } from '../../log/logger.ts';
import { describePostgres } from './postgres-address.ts';
import { isLasting } from './postgres-error.ts';
import { recordedName } from './migration.ts';
import { refuseUnsupported } from './postgres-migration.ts';
import { postgresDatabase } from '../../engines/databases.ts';

const log = jsonLogger('silent', () => {});
const SECRET = 'a-secret-of-the-owner';

async function failure(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => 'no failure',
    (error: unknown) => error,
  );
}

describe('the address of a PostgreSQL database', () => {
  test.each([
    ['postgres://ada:secret@db.example:5433/hearth', 'db.example:5433/hearth'],
    ['postgresql://ada:secret@db.example/hearth?sslmode=verify-full', 'db.example:5432/hearth'],
    ['postgres://ada:secret@[::1]:5432/hearth', '[::1]:5432/hearth'],
    ['postgres:///hearth?host=/run/postgresql&user=ada', '/run/postgresql:5432/hearth'],
    ['postgres://ada:secret@db', 'db:5432/ada'],
    ['postgres://db?user=ada&port=5433', 'db:5433/ada'],
  ])('%s is printed as %s', (url, place) => {
    expect(describePostgres(url)).toBe(place);
  });

  test.each([
    `mysql://ada:${SECRET}@db/hearth`,
    `postgres//ada:${SECRET}@db/hearth`,
    `postgres://ada:${SECRET}@db:70000/hearth`,
    `postgres://ada:${SECRET}@db/hearth?sslrootcert=/there/is/none`,
    `postgres://ada:${SECRET}@db/hearth?sslnegotiation=${SECRET.slice(0, 3)}`,
    '',
  ])('an address is refused permanently and not printed if it is invalid: %#', async (url) => {
    const error = await failure(postgresDatabase(url, { log }));
    expect(isLasting(error)).toBe(true);
    expect(String(error)).not.toContain(SECRET);
  });
});

test.each([
  [140_000, '14.0', 'UTF8', undefined],
  [180_001, '18.1', 'UTF8', undefined],
  [130_022, '13.22 (Debian)', 'UTF8', 'it is PostgreSQL 13.22 (Debian): Hearth needs 14 or newer'],
  [150_004, '15.4', 'SQL_ASCII', "create the database with encoding 'UTF8'"],
])('a server of version %i is refused if it is too old or does not use UTF-8', (...traits) => {
  const [versionNumber, version, encoding, refusal] = traits;
  const refuse = () => refuseUnsupported({ versionNumber, version, encoding });
  if (refusal === undefined) expect(refuse).not.toThrow();
  else expect(refuse).toThrow(refusal);
});

describe.skipIf(!hasPostgres)('a PostgreSQL database that is opened', () => {
  let server: SharedPostgres;
  beforeAll(async () => {
    server = await sharedPostgres();
  });
  afterAll(() => server[Symbol.asyncDispose]());

  async function query(url: string, text: string): Promise<unknown[]> {
    const client = new Client({ connectionString: url });
    await client.connect();
    try {
      return (await client.query(text)).rows;
    } finally {
      await client.end();
    }
  }

  const withPassword = (password: string) => {
    const url = new URL(server.url);
    url.password = password;
    return url.href;
  };

  test.each([
    ['a wrong password', () => withPassword(SECRET)],
    ['no password', () => withPassword('')],
    ['a missing database', () => server.url.replace(/[^/]*$/, 'missing')],
    ['a server without TLS', () => `${server.url}?sslmode=verify-full`],
  ])(
    'a database is refused permanently with %s, and the error does not contain the password',
    async (_what, urlOf) => {
      const url = urlOf();
      const error = await failure(postgresDatabase(url, { log }));
      expect(error).toBeInstanceOf(Error);
      expect(isLasting(error)).toBe(true);
      const printed = Bun.inspect(error);
      expect(printed).not.toContain(SECRET);
      expect(printed).not.toContain(decodeURIComponent(new URL(server.url).password));
    },
  );

  test('a database is waited for if nothing listens at its address', async () => {
    const [port] = await freePorts(1);
    const url = server.url.replace(`:${server.port}/`, `:${port}/`);
    const error = await failure(postgresDatabase(url, { log }));
    expect(error).toBeInstanceOf(Error);
    expect(isLasting(error)).toBe(false);
  });

  test('a database is refused permanently if it has another encoding', async () => {
    const url = await server.createDatabase();
    const name = new URL(url).pathname.slice(1);
    await query(server.url, `drop database ${name}`);
    await query(
      server.url,
      `create database ${name} template template0 encoding 'LATIN1' locale 'C'`,
    );
    const error = await failure(postgresDatabase(url, { log }));
    expect(String(error)).toContain('its encoding is LATIN1');
    expect(isLasting(error)).toBe(true);
  });

  test('a database is refused permanently if it belongs to a newer Hearth', async () => {
    const url = await server.createMigrated();
    const newer = recordedName('999-newer');
    await query(url, `insert into kysely_migration values ('${newer}', '2030-01-01')`);
    const error = await failure(postgresDatabase(url, { log }));
    expect(String(error)).toContain(
      `it belongs to a newer version of Hearth (migration ${newer}): start that version`,
    );
    expect(isLasting(error)).toBe(true);
  });

  test('nothing of a failed migration is kept, and it runs again when the database is opened the next time', async () => {
    const url = await server.createDatabase();
    await query(url, 'create table message_groups (of text)');
    const error = await failure(postgresDatabase(url, { log }));
    expect(String(error)).toContain('message_groups');
    const tables = "select tablename from pg_tables where schemaname = 'public'";
    expect(await query(url, tables)).toEqual([{ tablename: 'message_groups' }]);
    await query(url, 'drop table message_groups');
    await using _database = await postgresDatabase(url, { log });
    expect(await query(url, tables)).toContainEqual({ tablename: 'uploads' });
  });

  test('texts are compared by bytes, whatever the locale of the database', async () => {
    const url = await server.createMigrated();
    const names = ['Z', 'a', 'ä', '_', 'b', 'B'];
    await query(
      url,
      `insert into settings values ${names.map((name) => `('${name}', '')`).join(', ')}`,
    );
    expect(await query(url, 'select name from settings order by name')).toEqual(
      names.toSorted().map((name) => ({ name })),
    );
    expect(
      await query(
        url,
        `select attname from pg_attribute join pg_class c on c.oid = attrelid
          where relnamespace = 'public'::regnamespace and relkind = 'r' and relname not like 'kysely%'
            and atttypid = 'text'::regtype and attcollation <> '"C"'::regcollation`,
      ),
    ).toEqual([]);
  });

  test('a database cannot be written to through its reader', async () => {
    await using database = await postgresDatabase(await server.createMigrated(), { log });
    const reader = database.reader;
    const write = reader.insertInto('settings').values({ name: 'a', value: '1' }).execute();
    await expect(write).rejects.toThrow('read-only');
  });

  test('a transaction whose work hides the failure of a statement is rolled back', async () => {
    await using database = await postgresDatabase(await server.createMigrated(), { log });
    const insert = (name: string) =>
      database.transaction(async ({ sql: writer }) => {
        await writer.insertInto('settings').values({ name, value: '1' }).execute();
        await sql`select 1 / 0`.execute(writer).catch(() => {});
      });
    await expect(insert('a')).rejects.toThrow();
    expect(await database.reader.selectFrom('settings').selectAll().execute()).toEqual([]);
  });

  test('a database is used with a limited number of connections, even if many operations run at once', async () => {
    const url = await server.createMigrated();
    await using database = await postgresDatabase(url, { log, timeoutMs: 25_000, connections: 3 });
    const counts = await Promise.all(
      Array.from({ length: 60 }, async (_, i) => {
        if (i % 20 === 0) await database.transaction(async () => {});
        const { rows } = await sql<{ count: number }>`
          select count(*) as count from pg_stat_activity where datname = current_database()`.execute(
          database.reader,
        );
        return Number(rows[0]?.count);
      }),
    );
    // One more connection listens for changes.
    expect(Math.max(...counts)).toBeLessThanOrEqual(3 + 1);
    expect(Math.max(...counts)).toBeGreaterThan(2);
  });

  test('no connection stays open when a database is closed', async () => {
    const url = await server.createMigrated();
    const database = await postgresDatabase(url, { log });
    await Promise.all(
      Array.from({ length: 8 }, () => sql`select 1 as one`.execute(database.reader)),
    );
    await database[Symbol.asyncDispose]();
    await expect(sql`select 1 as one`.execute(database.reader)).rejects.toThrow('closed');
    // PostgreSQL waits for connections that are just ending, and refuses if there are others.
    const name = new URL(url).pathname.slice(1);
    expect(await query(server.url, `drop database ${name}`)).toEqual([]);
  });
});
