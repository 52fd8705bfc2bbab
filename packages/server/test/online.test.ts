import type { OnlineCount } from '@hearth/protocol';
import { onlineCountSchema } from '@hearth/protocol/schemas';
import { GatewayClient } from '@hearth/testing/clients/gateway-client';
import { postMessage } from '@hearth/testing/clients/post-message';
import { ProfileClient, resumeQuery } from '@hearth/testing/clients/profile-client';
import { fakeClock } from '@hearth/testing/fake-clock';
import {
  GENEROUS_LIMITS,
  startTestInstance,
  type TestInstance,
} from '@hearth/testing/instances/test-instance';
import { until } from '@hearth/testing/until';
import { expect, test } from 'bun:test';

const ASKING = 'v=1&online=true';

const onlineText = (count: number) => `{"op":"ONLINE","d":{"count":${count}}}`;

async function counted({ addresses }: TestInstance): Promise<OnlineCount> {
  const answer = await fetch(`${addresses.rest}/online`);
  expect(answer.status).toBe(200);
  return onlineCountSchema.strict().parse(await answer.json());
}

test('[ON1][ON2][ON3] clients that ask are sent the number of connections of all profiles, and others nothing', async () => {
  const clock = fakeClock();
  await using instance = await startTestInstance({ toml: GENEROUS_LIMITS, clock });
  const documented = await GatewayClient.connect(instance.addresses.gateway);
  using silent = await ProfileClient.greeted(instance);
  using client = await ProfileClient.greeted(instance, ASKING);
  await client.raw.until(() => client.payloads.length === 2);
  expect(client.raw.texts[1]).toBe(onlineText(3));
  const leaving = await ProfileClient.greeted(instance, ASKING);
  clock.advance(500);
  await client.raw.until(() => client.payloads.length === 3);
  expect(client.raw.texts[2]).toBe(onlineText(4));
  leaving[Symbol.dispose]();
  await until(async () => {
    clock.advance(100);
    await client.ping();
    return client.raw.texts.at(-2) === onlineText(3);
  });
  expect(client.ops.filter((op) => op === 'ONLINE')).toHaveLength(3);
  await silent.ping();
  await documented.ping();
  expect(silent.ops).toEqual(['HELLO', 'PONG']);
  expect(documented.received).toEqual(['{"op":"PONG"}']);
});

test('[ON1] the number has no position, and resuming continues without it', async () => {
  await using instance = await startTestInstance();
  using before = await ProfileClient.greeted(instance, ASKING);
  await postMessage(instance, 'one');
  await before.untilEvents(1);
  expect(before.ops.filter((op) => op === 'ONLINE').length).toBeGreaterThan(0);
  expect(before.events[0]?.s).toBe(before.hello.s + 1);
  using client = await ProfileClient.greeted(instance, `${resumeQuery(before.hello)}&online=true`);
  await client.untilEvents(1);
  await client.ping();
  expect(client.hello).toMatchObject({ recovered: true, s: before.hello.s });
  expect(client.eventTexts).toEqual(before.eventTexts);
  expect(client.raw.texts).toContain(onlineText(2));
});

test('[ON4] GET /online answers the number, and counts in the limit read', async () => {
  const clock = fakeClock();
  await using instance = await startTestInstance({ toml: '', clock });
  expect(await counted(instance)).toEqual({ count: 0 });
  const client = await GatewayClient.connect(instance.addresses.gateway);
  await client.ping();
  clock.advance(500);
  const answer = await fetch(`${instance.addresses.rest}/online`);
  expect(await answer.json()).toEqual({ count: 1 });
  expect(answer.headers.get('x-ratelimit-max')).toBe('20');
  expect(answer.headers.get('access-control-allow-origin')).toBe('*');
});
