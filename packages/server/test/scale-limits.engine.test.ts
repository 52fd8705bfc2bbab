import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { Cluster, type ClusterPlan } from '@hearth/testing/instances/cluster';
import { BEHIND_PROXY, LimitedClient, limitHeaders } from '@hearth/testing/clients/limited-client';
import {
  areServersMissing,
  sharedServers,
  type Servers,
} from '@hearth/testing/servers/shared-servers';
import { filePart } from '@hearth/testing/clients/upload-form';

const LIMIT = 6;
const LIMITS = `
[oprish.rate_limits]
info = { reset_after = 600, limit = ${LIMIT} }
[pandemonium]
rate_limit = { reset_after = 600, limit = ${LIMIT} }
[effis.rate_limits]
attachments = { reset_after = 600, limit = 100, file_size_limit = "1MB" }
`;

describe.skipIf(areServersMissing)('the limits of an instance of several processes', () => {
  let servers: Servers;

  beforeAll(async () => {
    servers = await sharedServers();
  });

  afterAll(() => servers[Symbol.asyncDispose]());

  const start = async (plan: ClusterPlan) =>
    Cluster.start({ ...(await servers.newInstance()), ...BEHIND_PROXY }, { toml: LIMITS, ...plan });

  test('[SC6] requests are counted together, whichever process answers them', async () => {
    await using cluster = await start({ gateways: 0 });
    const client = new LimitedClient();
    const counts: (number | undefined)[] = [];
    for (let index = 0; index < LIMIT; index += 1) {
      const answer = await client.get(`${cluster.at({ rest: index % 2 }).addresses.rest}/`);
      expect(answer.status).toBe(200);
      counts.push(limitHeaders(answer).requestCount);
    }
    expect(counts).toEqual(Array.from({ length: LIMIT }, (_, index) => index + 1));
    for (const rest of [0, 1]) {
      const refused = await client.get(`${cluster.at({ rest }).addresses.rest}/`);
      expect([refused.status, limitHeaders(refused).requestCount]).toEqual([429, LIMIT]);
      const other = await new LimitedClient().get(`${cluster.at({ rest }).addresses.rest}/`);
      expect(other.status).toBe(200);
    }
  });

  test('[SC6] limits let no more requests through than they allow if all processes get requests at once', async () => {
    await using cluster = await start({ gateways: 0 });
    const client = new LimitedClient();
    const answers = await Promise.all(
      Array.from({ length: 10 * LIMIT }, (_, index) =>
        client.get(`${cluster.at({ rest: index % 2 }).addresses.rest}/`),
      ),
    );
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(LIMIT);
    expect(new Set(statuses)).toEqual(new Set([200, 429]));
    const starts = answers.map((answer) => limitHeaders(answer).lastReset);
    expect(new Set(starts).size).toBe(1);
  });

  test('[SC6] uploaded bytes are counted together', async () => {
    await using cluster = await start({ rests: 0, gateways: 0, files: 2 });
    const client = new LimitedClient();
    const upload = (files: number, bytes: number) =>
      client.upload(
        `${cluster.at({ files }).addresses.files}/attachments`,
        filePart(new Uint8Array(bytes).fill(7)),
      );
    expect((await upload(0, 600_000)).status).toBe(200);
    const over = await upload(1, 600_000);
    expect([over.status, limitHeaders(over).sentBytes]).toEqual([429, 600_000]);
    const fitting = await upload(1, 400_000);
    expect([fitting.status, limitHeaders(fitting).sentBytes]).toEqual([200, 1_000_000]);
  });
});
