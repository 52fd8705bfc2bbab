import { presenceLink } from '@hearth/testing/ports/presence-link';
import { expect, test } from 'bun:test';
import { jsonLogger } from '../../log/logger.ts';
import { redisPresence } from './redis.ts';

test('[ON3] while Redis is away, the other processes count as they were last known', async () => {
  const { redis, link } = presenceLink();
  const log = jsonLogger('silent', () => {});
  await using presence = redisPresence({ link, key: 'online', log });
  redis.isAway = true;
  expect(await presence.total()).toBe(0);
  expect(await presence.report(1)).toBe(1);
  redis.isAway = false;
  redis.others = 40;
  expect(await presence.total()).toBe(41);
  redis.isAway = true;
  expect(await presence.report(2)).toBe(42);
  expect(await presence.total()).toBe(42);
  redis.isAway = false;
  redis.others = 3;
  expect(await presence.total()).toBe(5);
});
