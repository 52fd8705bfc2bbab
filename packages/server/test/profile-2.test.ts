import { AccountClient } from '@hearth/testing/clients/account-client';
import { ProfileClient } from '@hearth/testing/clients/profile-client';
import { openTestContext } from '@hearth/testing/instances/test-context';
import { GENEROUS_LIMITS, startTestInstance } from '@hearth/testing/instances/test-instance';
import { expect, test } from 'bun:test';
import { profile2Contract } from './profile-2.contract.ts';

const TOML = `registration = "open"\n${GENEROUS_LIMITS}`;

profile2Contract('in one process', async () => {
  await using resources = new AsyncDisposableStack();
  const instance = resources.use(await startTestInstance({ toml: TOML }));
  const ctx = resources.use(await openTestContext(instance));
  const owned = resources.move();
  return { ctx, gateways: [instance], [Symbol.asyncDispose]: () => owned.disposeAsync() };
});

test('[GP11] connections of profile 2 are counted apart from the others, and a client that is refused may come back later', async () => {
  const toml =
    '[oprish.rate_limits.gateway_connect]\nreset_after = 60\nlimit = 2\n[pandemonium]\nrate_limit = { reset_after = 60, limit = 1 }\n';
  await using instance = await startTestInstance({ toml });
  using _documented = await ProfileClient.greeted(instance);
  const clients = [];
  for (let count = 0; count < 2; count += 1) clients.push(await AccountClient.enter(instance));
  using refused = await AccountClient.enter(instance);
  await refused.raw.ended;
  expect(refused.one('DISCONNECT').d).toMatchObject({ reason: 'rate_limited', reconnect: true });
  expect(refused.one('DISCONNECT').d.retry_after).toBeGreaterThan(50_000);
  expect(refused.raw.closed?.reason).toBe('Client hit rate limit');
  // The address may connect ten times as often, but not for ever.
  for (let count = 3; count < 20; count += 1) {
    using client = await AccountClient.connect(instance);
    await client.ping();
  }
  using last = await AccountClient.connect(instance);
  await last.raw.ended;
  expect(last.ops).toEqual(['HELLO', 'DISCONNECT']);
  for (const client of clients) {
    await client.ping();
    client[Symbol.dispose]();
  }
});

test('[GP12] payloads beyond the limit are answered with RATE_LIMITED, and ten times as many close the connection', async () => {
  const toml = '[oprish.rate_limits.gateway_events]\nreset_after = 60\nlimit = 2\n';
  await using instance = await startTestInstance({ toml });
  using client = await AccountClient.enter(instance);
  await client.ping();
  for (let count = 2; count < 20; count += 1) client.raw.sendText('{"op":"PING"}');
  await client.until('RATE_LIMITED', 18);
  client.raw.sendText('{"op":"PING"}');
  await client.raw.ended;
  expect(client.ops.filter((op) => op === 'PONG')).toHaveLength(1);
  expect(client.one('DISCONNECT').d.reason).toBe('rate_limited');
});
