import { areServersMissing, sharedServers } from '@hearth/testing/servers/shared-servers';
import { test } from 'bun:test';
import { clusterFleet } from './support/chaos/fleet.ts';
import { runChaos, SEED } from './support/chaos/run-chaos.ts';

test.skipIf(areServersMissing)(
  `everyone shows what they read, and nobody is sent what they do not see, while a community changes (seed ${SEED})`,
  async () => {
    await using servers = await sharedServers();
    const environment = await servers.newInstance();
    await runChaos({
      environment,
      start: (shared) => clusterFleet(shared, { rest: 2, gateway: 2 }),
      rounds: 7,
    });
  },
  120_000,
);
