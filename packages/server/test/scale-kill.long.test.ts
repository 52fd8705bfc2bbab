import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test';
import { FLEET_SIZE } from '@hearth/testing/clients/client-fleet';
import { GatewayClient } from '@hearth/testing/clients/gateway-client';
import { readThrough } from '@hearth/testing/clients/history-client';
import { startMemberProcess } from '@hearth/testing/instances/member-process';
import { eventOf, postMessage } from '@hearth/testing/clients/post-message';
import { ProfileClient, resumeQuery } from '@hearth/testing/clients/profile-client';
import {
  areServersMissing,
  sharedServers,
  type Servers,
} from '@hearth/testing/servers/shared-servers';

setDefaultTimeout(120_000);

/** The number of handshakes that run at once. With more, some would time out. */
const AT_ONCE = 100;

const numbered = (count: number, of: string) =>
  Array.from({ length: count }, (_, index) => `${of} ${index}`);

/** Returns what `make` makes for each of `count`, some at a time. */
async function many<Made>(count: number, make: (index: number) => Promise<Made>): Promise<Made[]> {
  const all: Made[] = [];
  while (all.length < count) {
    const some = Array.from({ length: Math.min(AT_ONCE, count - all.length) }, (_, index) =>
      make(all.length + index),
    );
    all.push(...(await Promise.all(some)));
  }
  return all;
}

describe.skipIf(areServersMissing)('a process that is killed', () => {
  let servers: Servers;

  beforeAll(async () => {
    servers = await sharedServers();
  });

  afterAll(() => servers[Symbol.asyncDispose]());

  test(`[SC3][SC9] ${FLEET_SIZE} clients of profile 1 are lost, and resume at another gateway and miss nothing`, async () => {
    const environment = await servers.newInstance();
    const start = (components: string) =>
      startMemberProcess({ ...environment, COMPONENTS: components });
    await using rest = await start('rest');
    await using first = await start('gateway');
    await using second = await start('gateway');
    const clients = await many(FLEET_SIZE, () => ProfileClient.greeted(first));
    const documented = await GatewayClient.connect(first.addresses.gateway);
    const before = numbered(5, 'before');
    for (const content of before) await postMessage(rest, content);
    await Promise.all(clients.map((client) => client.untilEvents(before.length)));

    const meanwhile = numbered(20, 'meanwhile');
    await postMessage(rest, meanwhile[0] ?? '');
    await first.kill();
    await Promise.all(clients.map((client) => client.raw.ended.catch(() => {})));
    await documented.closed;
    for (const content of meanwhile.slice(1)) await postMessage(rest, content);

    const wanted = [...before, ...meanwhile];
    const back = await many(clients.length, async (index) => {
      const client = clients[index];
      if (client === undefined) throw new Error('there are more clients than there were');
      using again = await ProfileClient.greeted(second, resumeQuery(client.place));
      await again.untilEvents(wanted.length - client.contents.length);
      return {
        recovered: again.hello.recovered,
        contents: [...client.contents, ...again.contents],
      };
    });
    expect(back.filter(({ recovered }) => recovered !== true)).toEqual([]);
    for (const { contents } of back) expect(contents).toEqual(wanted);
    // A client of the documented gateway gets what is sent while it is connected, and nothing from before.
    const late = await GatewayClient.connect(second.addresses.gateway);
    await postMessage(rest, 'after');
    await late.until(() => late.received.length > 0);
    expect(late.received).toEqual([eventOf('after')]);
    late.close();
  });

  test('[SC9] the messages that a process dispatched are left to others, which write them to the history', async () => {
    const environment = await servers.newInstance();
    await using other = await startMemberProcess({ ...environment, COMPONENTS: 'rest' });
    for (let round = 0; round < 3; round += 1) {
      await using killed = await startMemberProcess({ ...environment, COMPONENTS: 'rest' });
      const contents = numbered(30, `round ${round},`);
      await Promise.all(contents.map((content) => postMessage(killed, content)));
      await killed.kill();
      const kept = await readThrough(other, 'newest');
      expect(
        kept
          .slice(-30)
          .map(({ content }) => content)
          .toSorted(),
      ).toEqual(contents.toSorted());
      expect(kept).toHaveLength(30 * (round + 1));
    }
  });
});
