import { afterAll, beforeAll } from 'bun:test';
import {
  hasPostgres,
  startPostgres,
  type PostgresServer,
} from '../../../test/support/postgres-server.ts';
import { jsonLogger } from '../../log/logger.ts';
import { databaseContract } from './database.contract.ts';
import { postgresDatabase } from './postgres.ts';

let server: PostgresServer | undefined;

beforeAll(async () => {
  if (hasPostgres) server = await startPostgres();
});

afterAll(() => server?.[Symbol.asyncDispose]());

const create = async () => {
  const address = (await server?.createDatabase()) ?? '';
  return { address, [Symbol.asyncDispose]: async () => {} };
};

const open = (address: string) =>
  postgresDatabase(address, { log: jsonLogger('silent', () => {}) });

databaseContract('postgres', { hearsOfOthers: 'soon', create, open }, { skip: !hasPostgres });
