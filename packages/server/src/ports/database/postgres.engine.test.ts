import { afterAll, beforeAll } from 'bun:test';
import { hasPostgres } from '@hearth/testing/servers/postgres-server';
import { sharedPostgres, type SharedPostgres } from '@hearth/testing/servers/shared-postgres';
import { jsonLogger } from '../../log/logger.ts';
import { databaseContract } from './database.contract.ts';
import { postgresDatabase } from '../../engines/databases.ts';

let server: SharedPostgres | undefined;

beforeAll(async () => {
  if (hasPostgres) server = await sharedPostgres();
});

afterAll(() => server?.[Symbol.asyncDispose]());

const at = (address = '') => ({ address, [Symbol.asyncDispose]: async () => {} });

const createEmpty = async () => at(await server?.createDatabase());

const create = async () => at(await server?.createMigrated());

const open = (address: string, log = jsonLogger('silent', () => {})) =>
  postgresDatabase(address, { log });

const engine = { hearsOfOthers: 'soon', createEmpty, create, open } as const;

databaseContract('postgres', engine, { skip: !hasPostgres });
