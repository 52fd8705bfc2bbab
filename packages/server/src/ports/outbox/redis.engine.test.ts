import { sharedPlace } from '@hearth/testing/ports/outbox-places';
import {
  areServersMissing,
  sharedServers,
  type Servers,
} from '@hearth/testing/servers/shared-servers';
import { afterAll, beforeAll } from 'bun:test';
import { outboxContract } from './outbox.contract.ts';

let servers: Servers | undefined;

beforeAll(async () => {
  if (!areServersMissing) servers = await sharedServers();
});

afterAll(() => servers?.[Symbol.asyncDispose]());

async function environment() {
  if (servers === undefined) throw new Error('there are no servers');
  return servers.newInstance();
}

outboxContract('PostgreSQL and Redis', async () => sharedPlace(await environment()), {
  skip: areServersMissing,
});
