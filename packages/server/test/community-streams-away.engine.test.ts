import type { Channel, Id, OwnCommunity, Role } from '@hearth/protocol';
import { channelSchema, ownCommunitySchema, roleSchema } from '@hearth/protocol/schemas';
import { AccountClient } from '@hearth/testing/clients/account-client';
import { RestPerson } from '@hearth/testing/clients/rest-person';
import {
  GENEROUS_LIMITS,
  startTestInstance,
  type TestInstance,
} from '@hearth/testing/instances/test-instance';
import { startPostgresRelay, type PostgresRelay } from '@hearth/testing/servers/postgres-relay';
import { areServersMissing, sharedServers } from '@hearth/testing/servers/shared-servers';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test';
import { z } from 'zod';

const TOML = `registration = "open"\n${GENEROUS_LIMITS}`;
const anything = z.unknown();

type Person = Awaited<ReturnType<typeof RestPerson.register>>;

describe.skipIf(areServersMissing)('a gateway that is cut off', () => {
  const resources = new AsyncDisposableStack();
  let postgres: PostgresRelay;
  let redis: PostgresRelay;
  let at: Pick<TestInstance, 'addresses'>;
  let ada: Person;
  let bob: Person;
  let made = 0;

  beforeAll(async () => {
    const servers = resources.use(await sharedServers());
    const { DATABASE_URL, REDIS_URL } = await servers.newInstance();
    postgres = resources.use(await startPostgresRelay(Number(new URL(DATABASE_URL).port)));
    redis = resources.use(await startPostgresRelay(Number(new URL(REDIS_URL).port)));
    const direct = { DATABASE_URL, REDIS_URL };
    const through = {
      DATABASE_URL: postgres.through(DATABASE_URL),
      REDIS_URL: redis.through(`${REDIS_URL}${REDIS_URL.split('/').length > 3 ? '' : '/0'}`),
    };
    const rest = await startTestInstance({ toml: TOML, env: { ...direct, COMPONENTS: 'rest' } });
    resources.use(rest);
    const gateway = await startTestInstance({
      toml: TOML,
      env: { ...through, COMPONENTS: 'gateway' },
    });
    resources.use(gateway);
    at = { addresses: { ...rest.addresses, gateway: gateway.addresses.gateway } };
    [ada, bob] = [await RestPerson.register(at, 'ada'), await RestPerson.register(at, 'bob')];
  });
  afterEach(() => {
    postgres.restore();
    redis.restore();
  });
  afterAll(() => resources.disposeAsync());

  const give = ({ id }: OwnCommunity, role_ids: readonly Id[]) =>
    ada.ok(anything, 'PATCH', `/communities/${id}/members/${bob.id}`, { role_ids });
  const touch = ({ id }: { readonly id: Id }, topic: string) =>
    ada.ok(channelSchema, 'PATCH', `/channels/${id}`, { topic });
  const allow = (channel: Channel, { id }: Role, allowed: readonly string[]) =>
    ada.ok(anything, 'PUT', `/channels/${channel.id}/overwrites/${id}`, {
      ...{ kind: 'role', allow: allowed, deny: [] },
    });

  /** A community in which Bob has two roles, and a channel that one of them sees. */
  async function open() {
    made += 1;
    const community = await ada.garden(`away-${made}`, { visibility: 'public' });
    const role = (): Promise<Role> =>
      ada.ok(roleSchema, 'POST', `/communities/${community.id}/roles`, { name: 'role' });
    const [seeing, other] = [await role(), await role()];
    const channel = await ada.ok(channelSchema, 'POST', `/communities/${community.id}/channels`, {
      ...{ kind: 'messages', name: 'hidden' },
      overwrites: [
        { id: community.id, kind: 'role', allow: [], deny: ['VIEW'] },
        { id: seeing.id, kind: 'role', allow: ['VIEW'], deny: [] },
      ],
    });
    await bob.ok(ownCommunitySchema, 'PUT', `/communities/${community.id}/members/me`);
    await give(community, [seeing.id, other.id]);
    const client = await AccountClient.enter(at, { token: bob.token });
    const stream = `r:${channel.id}`;
    expect(Object.keys(client.one('READY').d.streams)).toContain(stream);
    const sent = () =>
      client.payloads.flatMap((payload): string[] => {
        if ('t' in payload) return payload.t === stream ? [payload.op] : [];
        const isNotice = payload.op === 'STREAM_OPEN' || payload.op === 'STREAM_CLOSE';
        return isNotice && payload.d.stream === stream ? [payload.op] : [];
      });
    return { community, channel, seeing, other, client, sent };
  }

  test('[GC14] from PostgreSQL ends access at its place, keeps those who are held waiting, and lets nobody in', async () => {
    const { community, channel, seeing, other, client, sent } = await open();
    using _client = client;
    postgres.cut();
    // He may stay, but has to wait until that is certain.
    await allow(channel, other, ['VIEW']);
    await touch(channel, 'after');
    const newcomer = await AccountClient.enter(at, { token: bob.token });
    await newcomer.raw.ended;
    expect(newcomer.one('DISCONNECT').d.reason).toBe('server_error');
    await client.ping();
    expect(sent()).toEqual([]);
    postgres.restore();
    await client.raw.until(() => sent().length >= 2);
    expect(sent()).toEqual(['CHANNEL_UPDATE', 'CHANNEL_UPDATE']);
    postgres.cut();
    await give(community, []);
    await touch(channel, 'late');
    await client.raw.until(() => sent().includes('STREAM_CLOSE'));
    await client.ping();
    expect(sent()).toEqual(['CHANNEL_UPDATE', 'CHANNEL_UPDATE', 'STREAM_CLOSE']);
    expect(seeing.id).not.toBe(other.id);
  });

  test('[GC14][GC14a] from Redis closes what the database says has ended, and sends nothing of it afterwards', async () => {
    const { community, channel, client, sent } = await open();
    using _client = client;
    redis.cut();
    await give(community, []);
    await touch(channel, 'late');
    await client.raw.until(() => sent().includes('STREAM_CLOSE'));
    redis.restore();
    const [general] = community.channels;
    if (general === undefined) throw new Error('there is no channel');
    await touch(general, 'back');
    await client.raw.until(() => client.ops.includes('CHANNEL_UPDATE'));
    expect(sent()).toEqual(['STREAM_CLOSE']);
  });
});
