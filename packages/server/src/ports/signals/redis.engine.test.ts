import { isRedisMissing } from '@hearth/testing/servers/redis-server';
import { sharedRedis } from '@hearth/testing/servers/shared-redis';
import { jsonLogger } from '../../log/logger.ts';
import { keyPrefix } from '../redis-format.ts';
import { openRedisLink } from '../redis-link.ts';
import { redisSignals } from './redis.ts';
import { signalsContract } from './signals.contract.ts';

const log = jsonLogger('silent', () => {});

signalsContract(
  'through Redis',
  async () => {
    await using resources = new AsyncDisposableStack();
    const { url } = resources.use(await sharedRedis());
    const openReader = () => openRedisLink({ url, log });
    const link = resources.use(await openReader());
    const prefix = keyPrefix(crypto.randomUUID());
    const open = () => redisSignals({ link, openReader, prefix, log });
    const all = [resources.use(await open()), resources.use(await open())];
    const owned = resources.move();
    return { all, [Symbol.asyncDispose]: () => owned.disposeAsync() };
  },
  { skip: isRedisMissing },
);
