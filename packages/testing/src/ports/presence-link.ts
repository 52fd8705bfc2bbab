import {
  RedisUnavailableError,
  type RedisConnection,
} from '../../../server/src/ports/redis-link.ts';

/** A Redis in which other processes have reported connections, and which a test can make unavailable. */
export function presenceLink() {
  const redis = { others: 0, isAway: false };
  /** The numbers that the process under test has reported. */
  const reports: number[] = [];
  const link: RedisConnection = {
    send: () => Promise.reject(new Error('only scripts run')),
    async run(_script, _keys, [, own]) {
      if (redis.isAway) throw new RedisUnavailableError('away');
      reports.push(Number(own));
      return Number(own) + redis.others;
    },
  };
  return { redis, reports, link };
}
