import { Client } from 'pg';
import { testRun } from '../test-run.ts';

/** The template of new databases. It orders texts like people do, as if the owner's machine used English. */
const TEMPLATE = 'hearth_template';
const ORDER_OF_PEOPLE = "locale_provider icu icu_locale 'en-US'";
const FIRST_WITH_ICU = 150_000;

/** Copying the files of a database takes half of the time that its pages take, which is the default since PostgreSQL 15. */
const BY_FILES = 'strategy file_copy';
const FIRST_WITH_STRATEGIES = 150_000;

/** Makes the template on a new server; `url` is the address of any of its databases. */
export async function createTemplate(url: string): Promise<void> {
  await asOwner(url, async (client) => {
    const order = (await versionOf(client)) >= FIRST_WITH_ICU ? ORDER_OF_PEOPLE : '';
    await client.query(`create database ${TEMPLATE} template template0 ${order}`);
  });
}

/** Makes an empty database, or a copy of the one at an address, to which nobody is connected. Returns its address. */
export async function createDatabase(url: string, copied?: string): Promise<string> {
  const name = `test_${crypto.randomUUID().replaceAll('-', '')}`;
  const template = copied === undefined ? TEMPLATE : nameIn(copied);
  await asOwner(url, async (client) => {
    const strategy = (await versionOf(client)) >= FIRST_WITH_STRATEGIES ? BY_FILES : '';
    await client.query(`create database ${name} template ${template} ${strategy}`);
  });
  return sameDatabase(url, name);
}

/** The address of a database of this name on the server of `url`; `name` may be its address on another server. */
export function sameDatabase(url: string, name: string): string {
  return url.replace(/[^/]*$/, name.replace(/^.*\//, ''));
}

/** Drops databases, and ends the connections to them. */
export async function dropDatabases(url: string, databases: readonly string[]): Promise<void> {
  if (databases.length === 0) return;
  await asOwner(url, async (client) => {
    for (const database of databases) {
      await client.query(`drop database if exists ${nameIn(database)} with (force)`);
    }
  });
}

async function versionOf(client: Client): Promise<number> {
  const { rows } = await client.query("select current_setting('server_version_num') as version");
  return Number(rows[0]?.version);
}

function nameIn(address: string): string {
  return new URL(address).pathname.slice(1);
}

/**
 * The connection of this process to the server of the run: another one for each database would take a fifth of the
 * processor time of making it.
 */
const kept = new Map<string, Promise<Client>>();

async function asOwner(url: string, work: (client: Client) => Promise<unknown>): Promise<void> {
  if (url === testRun.postgres?.url) {
    await work(await kept.getOrInsertComputed(url, openKept));
    return;
  }
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}

async function openKept(url: string): Promise<Client> {
  const client = new Client({ connectionString: url });
  const forget = () => kept.delete(url);
  client.on('error', forget);
  try {
    await client.connect();
    return client;
  } catch (error) {
    forget();
    throw error;
  }
}
