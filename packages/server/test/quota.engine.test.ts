import { Cluster } from '@hearth/testing/instances/cluster';
import { areServersMissing, sharedServers } from '@hearth/testing/servers/shared-servers';
import { quotaContract, QUOTA_TOML } from './quota.contract.ts';

quotaContract(
  'PostgreSQL, with two file services',
  async () => {
    await using resources = new AsyncDisposableStack();
    const servers = resources.use(await sharedServers());
    const place = await servers.newInstance();
    const plan = { rests: 0, gateways: 0, files: 2, toml: QUOTA_TOML };
    const cluster = resources.use(await Cluster.start(place, plan));
    const owned = resources.move();
    return {
      place: { servers: place },
      processes: [cluster.at({ files: 0 }), cluster.at({ files: 1 })],
      [Symbol.asyncDispose]: () => owned.disposeAsync(),
    };
  },
  { skip: areServersMissing },
);
