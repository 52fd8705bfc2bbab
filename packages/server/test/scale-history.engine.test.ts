import { compareIds } from '@hearth/protocol';
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { Cluster } from '@hearth/testing/instances/cluster';
import { readContents, readThrough } from '@hearth/testing/clients/history-client';
import { postMessage } from '@hearth/testing/clients/post-message';
import {
  areServersMissing,
  sharedServers,
  type Servers,
} from '@hearth/testing/servers/shared-servers';

const ROUNDS = 60;

describe.skipIf(areServersMissing)('the history of an instance of several processes', () => {
  let servers: Servers;

  beforeAll(async () => {
    servers = await sharedServers();
  });

  afterAll(() => servers[Symbol.asyncDispose]());

  test('[SC4] the history has every message dispatched before the request, whichever process accepted it and whichever answers', async () => {
    await using cluster = await Cluster.start(await servers.newInstance(), { gateways: 0 });
    for (let round = 0; round < ROUNDS; round += 1) {
      const rest = round % 2;
      await postMessage(cluster.at({ rest }), `round ${round}`);
      expect(await readContents(cluster.at({ rest: 1 - rest }), '?limit=2')).toEqual(
        round === 0 ? ['round 0'] : [`round ${round}`, `round ${round - 1}`],
      );
    }
  });

  test('[SC4] the history is complete, in one order and without repeats while several processes accept posts, write and answer', async () => {
    await using cluster = await Cluster.start(await servers.newInstance(), { gateways: 0 });
    const posted: string[] = [];
    const post = async (rest: number, poster: string) => {
      for (let round = 0; round < ROUNDS; round += 1) {
        const content = `${poster} ${round}`;
        await postMessage(cluster.at({ rest }), content);
        posted.push(content);
        if (round % 10 !== 0) continue;
        const before = [...posted];
        const all = await readThrough(cluster.at({ rest: 1 - rest }), 'newest');
        const found = new Set(all.map((message) => message.content));
        expect(before.filter((each) => !found.has(each))).toEqual([]);
      }
    };
    await Promise.all([post(0, 'a'), post(1, 'b'), post(0, 'c'), post(1, 'd')]);
    for (const from of ['newest', 'oldest'] as const) {
      const all = await readThrough(cluster.at({ rest: from === 'newest' ? 0 : 1 }), from, 17);
      expect(all.map(({ content }) => content).toSorted()).toEqual(posted.toSorted());
      expect(all.map(({ id }) => id)).toEqual(all.map(({ id }) => id).toSorted(compareIds));
    }
  });

  test('[SC4] the history keeps what was posted after every process has ended and others are started', async () => {
    const environment = await servers.newInstance();
    const contents = Array.from({ length: 50 }, (_, index) => `message ${index}`);
    {
      await using cluster = await Cluster.start(environment, { gateways: 0 });
      for (const [index, content] of contents.entries()) {
        await postMessage(cluster.at({ rest: index % 2 }), content);
      }
    }
    await using cluster = await Cluster.start(environment, { rests: 1, gateways: 0 });
    const kept = await readThrough(cluster.at(), 'newest');
    expect(kept.map(({ content }) => content)).toEqual(contents);
  });
});
