import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { compareIds } from '@hearth/protocol';
import { Cluster } from '@hearth/testing/instances/cluster';
import { GatewayClient } from '@hearth/testing/clients/gateway-client';
import { eventOf, postMessage } from '@hearth/testing/clients/post-message';
import { ProfileClient, resumeQuery } from '@hearth/testing/clients/profile-client';
import {
  areServersMissing,
  sharedServers,
  type Servers,
} from '@hearth/testing/servers/shared-servers';

const POSTS = 200;

describe.skipIf(areServersMissing)('an instance of several processes', () => {
  let servers: Servers;

  beforeAll(async () => {
    servers = await sharedServers();
  });

  afterAll(() => servers[Symbol.asyncDispose]());

  const numbered = (count: number, of = '') =>
    Array.from({ length: count }, (_, index) => `${of}${index}`);

  /** Posts at both REST processes, several at a time. */
  async function postAtBoth(cluster: Cluster, count: number, of = ''): Promise<void> {
    await Promise.all(
      [0, 1].map(async (rest) => {
        const contents = numbered(count / 2, `${of}${rest}-`);
        for (let index = 0; index < contents.length; index += 5) {
          const some = contents.slice(index, index + 5);
          await Promise.all(some.map((content) => postMessage(cluster.at({ rest }), content)));
        }
      }),
    );
  }

  test('[SC1][SC2] every event is sent to every socket of every gateway once, in one order, with the same epoch and positions', async () => {
    await using cluster = await Cluster.start(await servers.newInstance());
    const gateways = [0, 1, 0, 1].map((gateway) => cluster.at({ gateway }));
    const profiled = await Promise.all(gateways.map((at) => ProfileClient.greeted(at)));
    const documented = await Promise.all(
      gateways.map((at) => GatewayClient.connect(at.addresses.gateway)),
    );
    await postAtBoth(cluster, POSTS);
    await Promise.all(profiled.map((client) => client.untilEvents(POSTS)));
    await Promise.all(
      documented.map((client) => client.until(() => client.received.length >= POSTS)),
    );
    for (const client of [...profiled, ...documented]) await client.ping();

    const [first, ...others] = profiled;
    const events = first?.events ?? [];
    expect(events).toHaveLength(POSTS);
    expect(new Set(first?.contents).size).toBe(POSTS);
    const { epoch, s } = first?.hello ?? {};
    expect(events.map((event) => event.s)).toEqual(events.map((_, index) => (s ?? 0) + 1 + index));
    for (const client of others) {
      expect(client.hello).toMatchObject({ epoch, s });
      expect(client.eventTexts).toEqual(first?.eventTexts ?? []);
    }
    const texts = events.map(({ d }) => eventOf(d.content));
    for (const client of documented) {
      expect(client.received.filter((text) => !text.includes('PONG'))).toEqual(texts);
    }
    for (const client of profiled) client[Symbol.dispose]();
    for (const client of documented) client.close();
  });

  test('[SC5] messages get identifiers that rise in the order of dispatch, whichever process accepts them', async () => {
    await using cluster = await Cluster.start(await servers.newInstance(), { gateways: 1 });
    using client = await ProfileClient.greeted(cluster.at());
    await postAtBoth(cluster, POSTS);
    await client.untilEvents(POSTS);
    const ids = client.events.map(({ d }) => d.id);
    expect(ids).toEqual(ids.toSorted(compareIds));
    expect(new Set(ids).size).toBe(POSTS);
  });

  test('[SC3] a client may resume at another gateway, even after its own has ended', async () => {
    await using cluster = await Cluster.start(await servers.newInstance());
    const client = await ProfileClient.greeted(cluster.at({ gateway: 0 }));
    await postAtBoth(cluster, 20, 'seen ');
    await client.untilEvents(20);
    client[Symbol.dispose]();
    await postAtBoth(cluster, 40, 'missed ');
    await cluster.remove('gateway', 0);
    using again = await ProfileClient.greeted(cluster.at(), resumeQuery(client.place));
    await again.untilEvents(40);
    expect(again.hello).toMatchObject({ recovered: true, ...client.place });
    expect(again.events.map(({ s }) => s)).toEqual(
      numbered(40).map((_, index) => client.place.s + 1 + index),
    );
    expect(new Set(again.contents)).toEqual(
      new Set([...numbered(20, 'missed 0-'), ...numbered(20, 'missed 1-')]),
    );
  });

  test('[SC3] a client may resume at a gateway that was started after the events that it missed', async () => {
    await using cluster = await Cluster.start(await servers.newInstance(), { gateways: 1 });
    const client = await ProfileClient.greeted(cluster.at());
    await postAtBoth(cluster, 10, 'seen ');
    await client.untilEvents(10);
    client[Symbol.dispose]();
    await postAtBoth(cluster, 30, 'missed ');
    await cluster.add('gateway');
    using again = await ProfileClient.greeted(
      cluster.at({ gateway: 1 }),
      resumeQuery(client.place),
    );
    await again.untilEvents(30);
    expect(again.hello.recovered).toBe(true);
    expect(again.events).toHaveLength(30);
  });

  test('[SC3] a client that comes from a faster gateway is never considered ahead of the stream', async () => {
    await using cluster = await Cluster.start(await servers.newInstance());
    for (let round = 0; round < 20; round += 1) {
      using client = await ProfileClient.greeted(cluster.at({ gateway: round % 2 }));
      const events = client.untilEvents(1);
      await postMessage(cluster.at({ rest: round % 2 }), `round ${round}`);
      await events;
      using again = await ProfileClient.greeted(
        cluster.at({ gateway: 1 - (round % 2) }),
        resumeQuery(client.place),
      );
      expect(again.hello).toMatchObject({ recovered: true, s: client.place.s });
    }
  });
});
