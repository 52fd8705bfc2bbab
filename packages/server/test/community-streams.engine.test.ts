import { Cluster } from '@hearth/testing/instances/cluster';
import { GENEROUS_LIMITS } from '@hearth/testing/instances/test-instance';
import { areServersMissing, sharedServers } from '@hearth/testing/servers/shared-servers';
import { communityStreamsContract } from './community-streams.contract.ts';

const TOML = `registration = "open"\n${GENEROUS_LIMITS}`;

communityStreamsContract(
  'in many processes',
  async () => {
    await using resources = new AsyncDisposableStack();
    const servers = resources.use(await sharedServers());
    const environment = await servers.newInstance();
    const cluster = resources.use(await Cluster.start(environment, { rests: 1, toml: TOML }));
    const owned = resources.move();
    return {
      gateways: [cluster.at({ gateway: 0 }), cluster.at({ gateway: 1 })],
      [Symbol.asyncDispose]: () => owned.disposeAsync(),
    };
  },
  { skip: areServersMissing },
);
