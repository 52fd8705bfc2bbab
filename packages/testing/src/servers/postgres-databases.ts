import { Client } from 'pg';

/** The template of new databases. It orders texts like people do, as if the owner's machine used English. */
const TEMPLATE = 'hearth_template';
const ORDER_OF_PEOPLE = "locale_provider icu icu_locale 'en-US'";
const FIRST_WITH_ICU = 150_000;

/** Makes the template on a new server; `url` is the address of any of its databases. */
export async function createTemplate(url: string): Promise<void> {
  await asOwner(url, async (client) => {
    const { rows } = await client.query("select current_setting('server_version_num') as version");
    const order = Number(rows[0]?.version) >= FIRST_WITH_ICU ? ORDER_OF_PEOPLE : '';
    await client.query(`create database ${TEMPLATE} template template0 ${order}`);
  });
}

/** Makes an empty database, or a copy of the one at an address, to which nobody is connected. Returns its address. */
export async function createDatabase(url: string, copied?: string): Promise<string> {
  const name = `test_${crypto.randomUUID().replaceAll('-', '')}`;
  const template = copied === undefined ? TEMPLATE : nameIn(copied);
  await asOwner(url, (client) => client.query(`create database ${name} template ${template}`));
  return url.replace(/[^/]*$/, name);
}

/** Drops a database, and ends the connections to it. */
export async function dropDatabase(url: string, database: string): Promise<void> {
  const drop = `drop database if exists ${nameIn(database)} with (force)`;
  await asOwner(url, (client) => client.query(drop));
}

function nameIn(address: string): string {
  return new URL(address).pathname.slice(1);
}

async function asOwner(url: string, work: (client: Client) => Promise<unknown>): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}
