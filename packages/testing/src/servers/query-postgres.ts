import { Client } from 'pg';

/** The rows of a query, on a connection of its own. */
export async function queryPostgres(url: string, query: string): Promise<readonly unknown[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(query)).rows;
  } finally {
    await client.end();
  }
}
