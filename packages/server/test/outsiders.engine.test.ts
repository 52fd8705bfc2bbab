import { startTestInstance } from '@hearth/testing/instances/test-instance';
import { areServersMissing, sharedServers } from '@hearth/testing/servers/shared-servers';
import { outsidersContract } from './outsiders.contract.ts';

outsidersContract(
  'PostgreSQL and Redis',
  async (options) => {
    await using resources = new AsyncDisposableStack();
    const servers = resources.use(await sharedServers());
    const env = await servers.newInstance();
    const instance = resources.use(await startTestInstance({ ...options, env }));
    const owned = resources.move();
    return { ...instance, [Symbol.asyncDispose]: () => owned.disposeAsync() };
  },
  { skip: areServersMissing },
);
