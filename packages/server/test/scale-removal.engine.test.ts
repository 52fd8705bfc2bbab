import { compareIds } from '@hearth/protocol';
import { ProfileClient, resumeQuery } from '@hearth/testing/clients/profile-client';
import { readContents, searchContents, untilFound } from '@hearth/testing/clients/history-client';
import { postMessage } from '@hearth/testing/clients/post-message';
import { Cluster } from '@hearth/testing/instances/cluster';
import { removeAsOwner, removeByAuthor } from '@hearth/testing/instances/remove-as-owner';
import { startTestInstance } from '@hearth/testing/instances/test-instance';
import {
  areServersMissing,
  sharedServers,
  type Servers,
} from '@hearth/testing/servers/shared-servers';
import { until } from '@hearth/testing/until';
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';

describe.skipIf(areServersMissing)('a message that the owner removes', () => {
  let servers: Servers;

  beforeAll(async () => {
    servers = await sharedServers();
  });

  afterAll(() => servers[Symbol.asyncDispose]());

  test('[LB12][LB24] a message is removed from an instance on PostgreSQL, and its clients are notified', async () => {
    const { DATABASE_URL } = await servers.newInstance();
    await using instance = await startTestInstance({ env: { DATABASE_URL } });
    using client = await ProfileClient.greeted(instance);
    await postMessage(instance, 'ham');
    await postMessage(instance, 'spam');
    await client.untilEvents(2);
    await removeAsOwner({ servers: { DATABASE_URL } }, client.lastId);
    await client.raw.until(() => client.ops.includes('MESSAGE_DELETE'));
    expect(client.raw.texts.at(-1)).toBe(
      `{"op":"MESSAGE_DELETE","s":3,"d":{"id":"${client.lastId}"}}`,
    );
    expect(await readContents(instance)).toEqual(['ham']);
  });

  test('[OP49] many messages are removed from every process, and the clients of every gateway are notified of each', async () => {
    const environment = await servers.newInstance();
    await using cluster = await Cluster.start(environment, { rests: 1 });
    using one = await ProfileClient.greeted(cluster.at({ gateway: 0 }));
    using other = await ProfileClient.greeted(cluster.at({ gateway: 1 }));
    await postMessage(cluster.at(), 'ham', 'ada');
    for (let count = 1; count <= 120; count += 1) {
      await postMessage(cluster.at(), 'spam', 'spammer');
    }
    await one.untilEvents(121);
    await until(async () => {
      await removeByAuthor(environment, 'spammer');
      return (await readContents(cluster.at())).length === 1;
    });
    const [, ...spam] = one.events.map(({ d }) => d.id);
    for (const client of [one, other]) {
      const removed = () =>
        client.payloads.flatMap((event) => (event.op === 'MESSAGE_DELETE' ? [event.d.id] : []));
      await client.raw.until(() => removed().length === 120);
      expect(removed().toSorted(compareIds)).toEqual(spam);
    }
  });

  test('[LB12][LB24][OB5][SE8] a message is removed from every process and its searches, and the clients of every gateway are notified at the same position', async () => {
    const environment = await servers.newInstance();
    await using cluster = await Cluster.start(environment);
    using one = await ProfileClient.greeted(cluster.at({ gateway: 0 }));
    using other = await ProfileClient.greeted(cluster.at({ gateway: 1 }));
    for (const content of ['ham', 'spam']) await postMessage(cluster.at(), content);
    await one.untilEvents(2);
    const both = [0, 1].map((rest) => cluster.at({ rest }));
    for (const word of ['ham', 'spam']) {
      for (const at of both) await untilFound(at, word, [word]);
    }
    // It may still be in the journal.
    await removeAsOwner({ servers: environment }, one.lastId);
    for (const at of both) {
      expect(await readContents(at)).toEqual(['ham']);
      expect(await searchContents(at, 'spam')).toEqual([]);
      expect(await searchContents(at, 'ham')).toEqual(['ham']);
    }
    for (const client of [one, other]) {
      await client.raw.until(() => client.ops.includes('MESSAGE_DELETE'));
    }
    await postMessage(cluster.at({ rest: 1 }), 'more');
    for (const client of [one, other]) {
      await client.untilEvents(3);
      expect(client.raw.texts.slice(1)).toEqual(one.raw.texts.slice(1));
    }
    expect(one.ops.slice(1)).toEqual([
      ...(['MESSAGE_CREATE', 'MESSAGE_CREATE', 'MESSAGE_DELETE', 'MESSAGE_CREATE'] as const),
    ]);
    using late = await ProfileClient.greeted(cluster.at({ gateway: 1 }), resumeQuery(one.hello));
    await late.untilEvents(2);
    const [, ham = '', , removal = '', more = ''] = one.raw.texts;
    // Nobody receives the removed text.
    const inPlace = removal.replace('"s":3', '"s":2');
    expect(late.raw.texts.slice(1)).toEqual([ham, inPlace, removal, more]);
  });
});
