import { GatewayClient } from '@hearth/testing/clients/gateway-client';
import { ProfileClient } from '@hearth/testing/clients/profile-client';
import { Cluster } from '@hearth/testing/instances/cluster';
import {
  areServersMissing,
  sharedServers,
  type Servers,
} from '@hearth/testing/servers/shared-servers';
import { until } from '@hearth/testing/until';
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';

describe.skipIf(areServersMissing)('an instance of several processes', () => {
  let servers: Servers;

  beforeAll(async () => {
    servers = await sharedServers();
  });

  afterAll(() => servers[Symbol.asyncDispose]());

  test('[ON3][ON4] the connections of all gateways are counted, and not those of one that has stopped', async () => {
    await using cluster = await Cluster.start(await servers.newInstance(), { rests: 1 });
    using one = await ProfileClient.greeted(cluster.at({ gateway: 0 }), 'v=1&online=true');
    await GatewayClient.connect(cluster.at({ gateway: 1 }).addresses.gateway);
    using other = await ProfileClient.greeted(cluster.at({ gateway: 1 }), 'v=1&online=true');
    const total = '{"op":"ONLINE","d":{"count":3}}';
    for (const { raw } of [one, other]) await raw.until(() => raw.texts.includes(total));
    const count = async () => {
      const answer = await fetch(`${cluster.at().addresses.rest}/online`);
      return answer.json();
    };
    expect(await count()).toEqual({ count: 3 });
    await cluster.remove('gateway', 1);
    await until(async () => Bun.deepEquals(await count(), { count: 1 }));
  });
});
