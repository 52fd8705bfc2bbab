import { afterAll, beforeAll } from 'bun:test';
import { hasPostgres } from '@hearth/testing/servers/postgres-server';
import { sharedPostgres, type SharedPostgres } from '@hearth/testing/servers/shared-postgres';
import { jsonLogger } from '../../log/logger.ts';
import { databaseContract } from './database.contract.ts';
import { postgresDatabase } from './postgres.ts';

let server: SharedPostgres | undefined;

beforeAll(async () => {
  if (hasPostgres) server = await sharedPostgres();
});

afterAll(() => server?.[Symbol.asyncDispose]());

const create = async () => {
  const address = (await server?.createDatabase()) ?? '';
  return { address, [Symbol.asyncDispose]: async () => {} };
};

const open = (address: string, log = jsonLogger('silent', () => {})) =>
  postgresDatabase(address, { log });

databaseContract('postgres', { hearsOfOthers: 'soon', create, open }, { skip: !hasPostgres });
