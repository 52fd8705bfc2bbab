import { BEHIND_PROXY } from '@hearth/testing/clients/limited-client';
import { Cluster } from '@hearth/testing/instances/cluster';
import { startTestInstance } from '@hearth/testing/instances/test-instance';
import { areServersMissing, sharedServers } from '@hearth/testing/servers/shared-servers';
import { moderationContract } from './moderation.contract.ts';
import { THREE_GUESSES } from './support/moderated-instance.ts';

moderationContract(
  'PostgreSQL',
  async () => {
    await using resources = new AsyncDisposableStack();
    const servers = resources.use(await sharedServers());
    const { DATABASE_URL } = await servers.newInstance();
    const instance = resources.use(
      await startTestInstance({ toml: THREE_GUESSES, env: { ...BEHIND_PROXY, DATABASE_URL } }),
    );
    const owned = resources.move();
    return {
      place: { servers: { DATABASE_URL } },
      processes: [instance],
      isOneProcess: true,
      [Symbol.asyncDispose]: () => owned.disposeAsync(),
    };
  },
  { skip: areServersMissing },
);

moderationContract(
  'PostgreSQL and Redis, in several processes',
  async () => {
    await using resources = new AsyncDisposableStack();
    const servers = resources.use(await sharedServers());
    const place = await servers.newInstance();
    const plan = { rests: 2, gateways: 2, files: 1, toml: THREE_GUESSES };
    const cluster = resources.use(await Cluster.start({ ...BEHIND_PROXY, ...place }, plan));
    const owned = resources.move();
    return {
      place: { servers: place },
      processes: [cluster.at(), cluster.at({ rest: 1, gateway: 1 })],
      isOneProcess: false,
      [Symbol.asyncDispose]: () => owned.disposeAsync(),
    };
  },
  { skip: areServersMissing },
);
