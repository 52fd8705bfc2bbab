import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { Cluster } from '@hearth/testing/instances/cluster';
import { GatewayClient } from '@hearth/testing/clients/gateway-client';
import { askHistory, readContents } from '@hearth/testing/clients/history-client';
import { eventOf, postMessage } from '@hearth/testing/clients/post-message';
import { readError } from '@hearth/testing/clients/read-error';
import {
  areServersMissing,
  startSharedServers,
  type OwnServers,
} from '@hearth/testing/servers/shared-servers';
import { until } from '@hearth/testing/until';
import {
  encodeForm,
  filePart,
  postForm,
  randomBytes,
  upload,
} from '@hearth/testing/clients/upload-form';

describe.skipIf(areServersMissing)('while PostgreSQL is unavailable,', () => {
  let servers: OwnServers;
  let cluster: Cluster;

  beforeAll(async () => {
    servers = await startSharedServers();
  });

  afterAll(() => servers[Symbol.asyncDispose]());

  beforeEach(async () => {
    cluster = await Cluster.start(await servers.newInstance(), { gateways: 1, files: 1 });
  });

  afterEach(async () => {
    await servers.postgres.resume();
    await cluster[Symbol.asyncDispose]();
  });

  const files = () => cluster.at().addresses.files;
  const isListed = async (rest: number) => {
    const answer = await askHistory(cluster.at({ rest }));
    await answer.bytes();
    return answer.status === 200;
  };

  test.each(['stopped', 'paused'] as const)(
    '[SC15][SC16][SC18] because it was %s, requests that need it are answered with 500, others as before, and nothing acknowledged is lost',
    async (how) => {
      const client = await GatewayClient.connect(cluster.at().addresses.gateway);
      await postMessage(cluster.at(), 'before');
      const bytes = randomBytes(10_000);
      const kept = await upload(files(), bytes);
      await client.until(() => client.received.length === 1);
      if (how === 'stopped') await servers.postgres.stop();
      else await servers.postgres.pause();

      await postMessage(cluster.at(), 'meanwhile');
      await client.until(() => client.received.includes(eventOf('meanwhile')));
      expect(await readError(await askHistory(cluster.at({ rest: 1 })))).toMatchObject({
        status: 500,
      });
      const refused = await postForm(
        `${files()}/attachments`,
        encodeForm(filePart(randomBytes(1_000))),
      );
      expect(await readError(refused)).toMatchObject({ status: 500 });
      expect((await fetch(cluster.at().addresses.rest)).status).toBe(200);

      if (how === 'stopped') await servers.postgres.start();
      else await servers.postgres.resume();
      // Each process notices by itself that it is back.
      for (const rest of [0, 1]) await until(() => isListed(rest));
      expect(await readContents(cluster.at({ rest: 1 }))).toEqual(['meanwhile', 'before']);
      await postMessage(cluster.at({ rest: 1 }), 'after');
      expect(await readContents(cluster.at())).toEqual(['after', 'meanwhile', 'before']);
      await until(async () => (await fetch(`${files()}/${kept.id}`)).status === 200);
      const answer = await fetch(`${files()}/${kept.id}`);
      expect(Buffer.from(await answer.arrayBuffer()).equals(bytes)).toBe(true);
      client.close();
    },
  );
});
