import { Client } from 'pg';

/** The rows of a query, asked beside whoever uses the database. */
export async function queryPostgres(url: string, query: string): Promise<readonly unknown[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(query)).rows;
  } finally {
    await client.end();
  }
}
