import { areServersMissing, startSharedServers } from '@hearth/testing/servers/shared-servers';
import { expect, test } from 'bun:test';
import { killableFleet } from './support/chaos/fleet.ts';
import { Outages } from './support/chaos/outages.ts';
import { runChaos, SEED } from './support/chaos/run-chaos.ts';

test.skipIf(areServersMissing)(
  `[SC10] while Redis and PostgreSQL stop, pause and restart, everyone shows what they read again when these are back (seed ${SEED})`,
  async () => {
    await using servers = await startSharedServers();
    const environment = await servers.newInstance();
    const outages = new Outages(servers);
    await runChaos({
      environment,
      start: (shared) => killableFleet(shared, { rest: 2, gateway: 2 }, () => outages.isNow),
      rounds: 10,
      roundsACheck: 2,
      outages,
    });
    expect(outages.count).toBeGreaterThan(3);
  },
  300_000,
);
