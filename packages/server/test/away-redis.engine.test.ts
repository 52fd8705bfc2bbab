import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { Cluster } from '@hearth/testing/instances/cluster';
import { GatewayClient } from '@hearth/testing/clients/gateway-client';
import { readContents } from '@hearth/testing/clients/history-client';
import { eventOf, postMessage } from '@hearth/testing/clients/post-message';
import { ProfileClient, resumeQuery } from '@hearth/testing/clients/profile-client';
import { queryPostgres } from '@hearth/testing/servers/query-postgres';
import { readError } from '@hearth/testing/clients/read-error';
import {
  areServersMissing,
  startSharedServers,
  type SharedEnvironment,
  type OwnServers,
} from '@hearth/testing/servers/shared-servers';
import { until } from '@hearth/testing/until';

/** The longest time that a client waits, on a machine that may be busy with other work. */
const ANSWER_MS = 12_000;

describe.skipIf(areServersMissing)('if Redis is unavailable,', () => {
  let servers: OwnServers;
  let environment: SharedEnvironment;
  let cluster: Cluster;

  beforeAll(async () => {
    servers = await startSharedServers();
  });

  afterAll(() => servers[Symbol.asyncDispose]());

  beforeEach(async () => {
    environment = await servers.newInstance();
    cluster = await Cluster.start(environment, { files: 1 });
  });

  afterEach(async () => {
    servers.redis.resume();
    await cluster[Symbol.asyncDispose]();
  });

  const post = (content: string, rest = 0) =>
    fetch(`${cluster.at({ rest }).addresses.rest}/messages`, {
      method: 'POST',
      body: JSON.stringify({ author: 'someone', content }),
      signal: AbortSignal.timeout(ANSWER_MS),
    });
  const hasWritten = async (url: string) =>
    (await queryPostgres(url, 'select 1 from message_groups')).length === 1;
  const isPosted = async (content: string, rest = 0) => {
    const answer = await post(content, rest).catch(() => undefined);
    await answer?.bytes();
    return answer?.status === 200;
  };

  test.each(['stopped', 'paused'] as const)(
    '[SC10][SC11][SC18][ON3] because it was %s, sockets stay open, a post is answered with 500, and requests that need no Redis are answered',
    async (how) => {
      const client = await GatewayClient.connect(cluster.at().addresses.gateway);
      await postMessage(cluster.at(), 'before');
      await client.until(() => client.received.length === 1);
      if (how === 'stopped') await servers.redis.stop();
      else servers.redis.pause();

      const refused = await Promise.all([post('lost 1'), post('lost 2', 1)]);
      for (const answer of refused) {
        expect(await readError(answer)).toMatchObject({ status: 500 });
      }
      const info = await fetch(cluster.at().addresses.rest);
      expect(info.status).toBe(200);
      const missing = await fetch(`${cluster.at().addresses.files}/static/none.png`);
      expect(missing.status).toBe(404);
      const online = await fetch(`${cluster.at().addresses.rest}/online`);
      expect(await online.json()).toMatchObject({ count: expect.any(Number) });
      await client.ping();

      if (how === 'stopped') await servers.redis.start();
      else servers.redis.resume();
      await until(() => isPosted('after'));
      await until(() => isPosted('after', 1));
      await client.until(() => client.received.includes(eventOf('after')));
      client.close();
    },
  );

  test('[SC12] and comes back empty, clients of profile 1 are disconnected and learn that they may have missed something', async () => {
    const [one, other] = await Promise.all([
      ProfileClient.greeted(cluster.at({ gateway: 0 })),
      ProfileClient.greeted(cluster.at({ gateway: 1 })),
    ]);
    await postMessage(cluster.at(), 'before');
    await Promise.all([one.untilEvents(1), other.untilEvents(1)]);
    // Messages that are not written yet are lost with Redis.
    await until(() => hasWritten(environment.DATABASE_URL));
    await servers.redis.stop();
    await servers.redis.start();
    await Promise.all([one.raw.ended, other.raw.ended]);
    expect(one.goodbye).toMatchObject({ reason: 'server_error', reconnect: true });
    await until(() => isPosted('after'));
    for (const gateway of [0, 1]) {
      using again = await ProfileClient.greeted(
        cluster.at({ gateway }),
        resumeQuery(gateway === 0 ? one.place : other.place),
      );
      expect(again.hello.recovered).toBe(false);
      expect(again.hello.epoch).not.toBe(one.hello.epoch);
    }
    const contents = await readContents(cluster.at({ rest: 1 }));
    expect(contents[0]).toBe('after');
    expect(contents.at(-1)).toBe('before');
  });

  test('[SC13] but only for a moment, clients of profile 1 miss nothing and receive no notice', async () => {
    using client = await ProfileClient.greeted(cluster.at());
    await postMessage(cluster.at(), 'before');
    servers.redis.pause();
    const waiting = post('meanwhile');
    servers.redis.resume();
    expect((await waiting).status).toBe(200);
    await client.untilEvents(2);
    expect(client.contents).toEqual(['before', 'meanwhile']);
    expect(client.events.map(({ s }) => s)).toEqual([client.hello.s + 1, client.hello.s + 2]);
  });

  test('[SC14] each process counts limits for itself, and all count together again when it is back', async () => {
    const { rest } = cluster.at().addresses;
    await servers.redis.stop();
    const count = async (url = rest) =>
      Number((await fetch(url)).headers.get('x-ratelimit-request-count'));
    const [first, second] = [await count(), await count()];
    expect(second).toBe(first + 1);
    await servers.redis.start();
    await until(() => isPosted('back'));
    // Each process notices in its own time that Redis is back.
    await until(async () => {
      const { rest: other } = cluster.at({ rest: 1 }).addresses;
      const counts = [await count(other), await count(), await count(other)];
      return counts.every((each, index) => each === (counts[0] ?? 0) + index);
    });
  });
});
