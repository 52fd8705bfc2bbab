import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { Client } from 'pg';
import { hasPostgres, startPostgres, type PostgresServer } from './postgres-server.ts';

describe.skipIf(!hasPostgres)('a PostgreSQL for tests', () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server[Symbol.asyncDispose]());

  async function answers(url: string): Promise<string> {
    const client = new Client({ connectionString: url });
    await client.connect();
    try {
      const { rows } = await client.query('select current_database() as name');
      return rows[0].name;
    } finally {
      await client.end();
    }
  }

  test('the server makes a new database for each request, and keeps it over a restart', async () => {
    const urls = [await server.createDatabase(), await server.createDatabase()];
    const names = await Promise.all(urls.map(answers));
    expect(new Set([...names, await answers(server.url)]).size).toBe(3);
    await server.stop();
    await expect(answers(server.url)).rejects.toThrow();
    await server.start();
    expect(await Promise.all(urls.map(answers))).toEqual(names);
  });

  test('the server does not answer while it is paused, and answers everything afterwards', async () => {
    const client = new Client({ connectionString: server.url });
    await client.connect();
    await server.pause();
    let isAnswered = false;
    const answer = client.query('select 1').then(() => {
      isAnswered = true;
    });
    const other = answers(server.url);
    // Another server on the same machine would have answered many times.
    await using another = await startPostgres();
    await answers(another.url);
    expect(isAnswered).toBe(false);
    await server.resume();
    expect(await other).toBe('postgres');
    await answer;
    await client.end();
  });
});
