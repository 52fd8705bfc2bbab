import { areServersMissing, sharedServers } from '@hearth/testing/servers/shared-servers';
import { test } from 'bun:test';
import { killableFleet } from './support/chaos/fleet.ts';
import { runChaos, SEED } from './support/chaos/run-chaos.ts';

const ROUNDS = 100;

test.skipIf(areServersMissing)(
  `in ${ROUNDS} rounds of changes and kills, everyone shows what they read, and nobody is sent what they do not see (seed ${SEED})`,
  async () => {
    await using servers = await sharedServers();
    const environment = await servers.newInstance();
    await runChaos({
      environment,
      start: (shared) => killableFleet(shared, { rest: 3, gateway: 2 }),
      rounds: ROUNDS,
    });
  },
  300_000,
);
