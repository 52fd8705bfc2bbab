import { expect, test } from 'bun:test';
import { RedisUnavailableError, type RedisConnection } from '../redis-link.ts';
import { RedisTakes } from './redis-takes.ts';

const script = { text: 'counts' };
const NOW = 1_000;

/** A connection that answers each request as the first of its window, and records the calls. */
function countingLink() {
  const calls: (readonly string[])[] = [];
  const link: RedisConnection = {
    send: () => Promise.reject(new Error('only scripts run')),
    run: async (_script, _keys, [, ...requests]) => {
      calls.push(requests);
      const counts = Array.from({ length: requests.length / 3 }, (_, i) => [1, NOW, i, 0, 0]);
      return [NOW, ...counts.flat()];
    },
  };
  return { link, calls };
}

const takesOf = (link: RedisConnection) =>
  new RedisTakes({ link, script, prefix: 'limit:', settings: () => ['now'] });

test('requests of one turn of the event loop are counted by one script, in their order', async () => {
  const { link, calls } = countingLink();
  const takes = takesOf(link);
  const taken = await Promise.all(['a', 'b', 'a'].map((client) => takes.take('info', client)));
  expect(calls).toEqual([['info', 'a', '1', 'info', 'b', '1', 'info', 'a', '1']]);
  expect(taken.map(({ requestCount }) => requestCount)).toEqual([0, 1, 2]);
  await takes.take('message_create', 'c');
  expect(calls).toHaveLength(2);
});

test('no script counts more than 64 requests', async () => {
  const { link, calls } = countingLink();
  const takes = takesOf(link);
  await Promise.all(Array.from({ length: 130 }, (_, i) => takes.take('info', `${i}`)));
  expect(calls.map((requests) => requests.length / 3)).toEqual([64, 64, 2]);
});

test('a request is refused at once if 10,000 others are waiting', async () => {
  const isGone = Promise.withResolvers<void>();
  const run = () => isGone.promise.then(() => Promise.reject(new RedisUnavailableError('gone')));
  const takes = takesOf({ ...countingLink().link, run });
  const waiting = Array.from({ length: 10_000 }, () => takes.take('info', 'a'));
  await expect(takes.take('info', 'a')).rejects.toBeInstanceOf(RedisUnavailableError);
  const outcomes = Promise.allSettled(waiting);
  isGone.resolve();
  expect(new Set((await outcomes).map(({ status }) => status))).toEqual(new Set(['rejected']));
  await expect(takes.take('info', 'a')).rejects.toThrow('gone');
});
