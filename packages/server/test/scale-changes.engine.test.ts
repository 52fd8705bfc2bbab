import { lobbyMessageSchema, signedInSchema } from '@hearth/protocol/schemas';
import { readHistory } from '@hearth/testing/clients/history-client';
import { ProfileClient } from '@hearth/testing/clients/profile-client';
import { Cluster } from '@hearth/testing/instances/cluster';
import { GENEROUS_LIMITS, type TestInstance } from '@hearth/testing/instances/test-instance';
import {
  areServersMissing,
  sharedServers,
  type Servers,
} from '@hearth/testing/servers/shared-servers';
import { until } from '@hearth/testing/until';
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';

type Addressed = Pick<TestInstance, 'addresses'>;

const THUMB = encodeURIComponent('👍');

interface Asked {
  readonly token?: string;
  readonly body?: unknown;
}

function ask(
  { addresses }: Addressed,
  [method, path]: readonly [method: string, path: string],
  { token, body }: Asked,
): Promise<Response> {
  const headers = token === undefined ? {} : { Authorization: `Bearer ${token}` };
  const init = { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) };
  return fetch(addresses.rest + path, init);
}

async function register(at: Addressed, username: string): Promise<string> {
  const password = 'correct horse battery';
  const body = { username, email: `${username}@example.org`, password };
  const answer = await ask(at, ['POST', '/users'], { body });
  return signedInSchema.parse(await answer.json()).token;
}

describe.skipIf(areServersMissing)('an instance of several processes', () => {
  let servers: Servers;
  beforeAll(async () => {
    servers = await sharedServers();
  });
  afterAll(() => servers[Symbol.asyncDispose]());

  test('[LA3][LA6][LA9][LA11][LA16] a message is changed through any process at once, and all clients are sent the same', async () => {
    const toml = `registration = "open"\n${GENEROUS_LIMITS}`;
    await using cluster = await Cluster.start(await servers.newInstance(), { toml });
    const rests = [cluster.at({ rest: 0 }), cluster.at({ rest: 1 })] as const;
    using one = await ProfileClient.greeted(cluster.at({ gateway: 0 }));
    using other = await ProfileClient.greeted(cluster.at({ gateway: 1 }));
    const ada = await register(rests[0], 'ada');
    const grace = await register(rests[1], 'grace');
    // [LA16] One message for a nonce, whichever processes are asked at the same time.
    const once = { content: 'once', nonce: 'n' };
    const repeated = await Promise.all(
      [...rests, ...rests].map(async (rest) => {
        const answer = await ask(rest, ['POST', '/messages'], { token: ada, body: once });
        return lobbyMessageSchema.parse(await answer.json());
      }),
    );
    expect(new Set(repeated.map(({ id }) => id)).size).toBe(1);
    expect(await readHistory(rests[0], '?limit=9')).toHaveLength(1);
    await one.raw.until(() => one.ops.includes('MESSAGE_CREATE'));
    for (let round = 0; round < 10; round += 1) {
      const content = `message ${round}`;
      const posted = await ask(rests[0], ['POST', '/messages'], { token: ada, body: { content } });
      const { id } = lobbyMessageSchema.parse(await posted.json());
      const path = `/messages/${id}`;
      // The other process has to find it in the journal.
      const settled = await Promise.all([
        ask(rests[1], ['PATCH', path], { token: ada, body: { content: `changed ${round}` } }),
        ask(rests[0], ['PUT', `${path}/reactions/${THUMB}`], { token: ada }),
        ask(rests[1], ['PUT', `${path}/reactions/${THUMB}`], { token: grace }),
      ]);
      expect(settled.map(({ status }) => status)).toEqual([200, 200, 200]);
      for (const rest of rests) {
        const [newest] = await readHistory(rest, '?limit=1');
        expect(newest).toMatchObject({
          content: `changed ${round}`,
          version: 4,
          user: { username: 'ada' },
          reactions: [{ emoji: '👍', count: 2 }],
        });
      }
      if (round % 2 === 0) continue;
      const deletions = await Promise.all(
        rests.map((rest) => ask(rest, ['DELETE', path], { token: ada })),
      );
      expect(deletions.map(({ status }) => status).toSorted()).toEqual([200, 404]);
    }
    const ends = (client: ProfileClient) =>
      client.ops.filter((op) => op === 'MESSAGE_DELETE').length === 5;
    for (const client of [one, other]) await client.raw.until(() => ends(client));
    expect(other.raw.texts.slice(1)).toEqual(one.raw.texts.slice(1));
    const versions = one.payloads.flatMap((event) =>
      's' in event && event.op !== 'MESSAGE_DELETE' && 'd' in event && 'version' in event.d
        ? [event.d.version]
        : [],
    );
    expect(versions).toEqual(Array.from({ length: 30 }, (_, index) => 2 + (index % 3)));
    const body = { author: 'Grace', content: 'it is me' };
    await until(async () => {
      const statuses = await Promise.all(
        rests.map(async (rest) => (await ask(rest, ['POST', '/messages'], { body })).status),
      );
      return statuses.every((status) => status === 422);
    });
  });
});
