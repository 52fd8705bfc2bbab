import {
  GENEROUS_LIMITS,
  startTestInstance,
  type TestInstance,
} from '@hearth/testing/instances/test-instance';
import { until } from '@hearth/testing/until';
import { afterAll, afterEach, beforeAll, expect, test } from 'bun:test';
import {
  connect,
  connectLight,
  HearthError,
  memoryTokens,
  NotFoundError,
  type Client,
  type MyCommunity,
  type TokenStorage,
} from '../src/index.ts';
import { addCommunities } from '../src/communities.ts';
import { cuttableClient } from './support/cuttable-client.ts';

const PASSWORD = 'correct horse battery';

let instance: TestInstance;
let ada: Client;
let brendan: Client;
const brendanTokens = memoryTokens();
let gardens = 0;

let ended: AsyncDisposable[] = [];

beforeAll(async () => {
  instance = await startTestInstance({ toml: `registration = "open"\n${GENEROUS_LIMITS}` });
  ada = await registered('ada');
  brendan = await registered('brendan', brendanTokens);
});

afterEach(async () => {
  for (const one of ended.toReversed()) await one[Symbol.asyncDispose]();
  ended = [];
});

afterAll(async () => {
  await ada.close();
  await brendan.close();
  await instance[Symbol.asyncDispose]();
});

async function registered(
  username: string,
  tokens: TokenStorage = memoryTokens(),
): Promise<Client> {
  const client = await connect(instance.addresses.rest, { tokens, random: () => 0 });
  await client.register({ username, email: `${username}@example.org`, password: PASSWORD });
  await client.open();
  return client;
}

function eventually(isMet: () => boolean): Promise<void> {
  return until(async () => isMet());
}

/** A public community of ada's. */
function garden(): Promise<MyCommunity> {
  gardens += 1;
  const slug = `garden-${gardens}`;
  return ada.communities.create({ name: 'Garden', slug, visibility: 'public', join: 'open' });
}

test('[SK32] what one device does with a community shows on all of them', async () => {
  const other = await connect(instance.addresses.rest, { tokens: brendanTokens });
  ended.push(other);
  await other.open();
  const { id } = await garden();
  const removed: unknown[] = [];
  other.on('communityRemoved', (removal) => void removed.push(removal));
  await brendan.communities.join(id);
  await eventually(() => other.communities.get(id) !== undefined);
  expect(other.communities.get(id)?.permissions.has('SEND_MESSAGES')).toBe(true);
  const channel = await ada.communities.channels.create(id, { kind: 'messages', name: 'trees' });
  const role = await ada.communities.roles.create(id, { name: 'gardener', permissions: ['BAN'] });
  await eventually(() => other.communities.channel(channel.id) !== undefined);
  expect(other.communities.channel(channel.id)?.details?.name).toBe('trees');
  const { id: user_id } = await brendan.me();
  await ada.communities.members.change({ community_id: id, user_id }, { role_ids: [role.id] });
  await eventually(() => other.communities.get(id)?.permissions.has('BAN') === true);
  await eventually(() => brendan.communities.get(id)?.permissions.has('BAN') === true);
  await brendan.communities.leave(id);
  await eventually(() => removed.length > 0);
  expect(removed).toEqual([{ id, reason: 'left' }]);
  expect(brendan.communities.get(id)).toBeUndefined();
});

test('[SK33] a channel that becomes hidden goes away, and comes back with the permissions of the person', async () => {
  const { id } = await garden();
  await brendan.communities.join(id);
  const { id: channelId } = await ada.communities.channels.create(id, {
    kind: 'messages',
    name: 'secret',
  });
  await eventually(() => brendan.communities.channel(channelId) !== undefined);
  const everyone = { channel_id: channelId, id };
  await ada.communities.channels.setOverwrite(everyone, {
    kind: 'role',
    allow: [],
    deny: ['VIEW'],
  });
  await eventually(() => brendan.communities.channel(channelId) === undefined);
  expect(ada.communities.channel(channelId)?.name).toBe('secret');
  await expect(brendan.communities.channels.find(channelId)).rejects.toBeInstanceOf(NotFoundError);
  const { id: user_id } = await brendan.me();
  await ada.communities.channels.setOverwrite(
    { channel_id: channelId, id: user_id },
    { kind: 'member', allow: ['VIEW'], deny: ['SEND_MESSAGES'] },
  );
  await eventually(() => brendan.communities.channel(channelId)?.permissions.has('VIEW') === true);
  await eventually(
    () => brendan.communities.channel(channelId)?.permissions.has('SEND_MESSAGES') === false,
  );
  expect(brendan.communities.channel(channelId)?.restricted).toBe(true);
});

test('[SK32] what has changed while the connection was away shows when it is back', async () => {
  const { id } = await garden();
  await brendan.communities.join(id);
  await using broken = await cuttableClient(instance, {
    tokens: memoryTokens(brendanTokens.read()),
  });
  const { client, cutter } = broken;
  await client.open();
  expect(client.communities.get(id)?.name).toBe('Garden');
  cutter.refuse(true);
  cutter.cut();
  await eventually(() => client.connection.state === 'waiting');
  const { id: channelId } = await ada.communities.channels.create(id, {
    kind: 'messages',
    name: 'meanwhile',
  });
  cutter.refuse(false);
  await eventually(() => client.communities.channel(channelId) !== undefined);
});

test('[SK34] members are read page by page', async () => {
  const { id } = await garden();
  await brendan.communities.join(id);
  const page = await ada.communities.members.list(id, { limit: 1 });
  expect(page.entries).toHaveLength(1);
  const names: string[] = [];
  for await (const { user } of ada.communities.members.all(id, { limit: 1 })) {
    names.push(user.username);
  }
  expect(names).toEqual(['ada', 'brendan']);
});

test('[SK35] a program that loads communities later has everything that came before', async () => {
  const light = await connectLight(instance.addresses.rest, { tokens: brendanTokens });
  ended.push(light);
  expect(() => light.communities).toThrow(HearthError);
  await light.open();
  const { id } = await garden();
  await brendan.communities.join(id);
  await eventually(() => brendan.communities.get(id) !== undefined);
  const { id: channelId } = await ada.communities.channels.create(id, {
    kind: 'messages',
    name: 'early',
  });
  const seen = () => brendan.communities.channel(channelId) !== undefined;
  await eventually(seen);
  await light.gateway.caughtUp();
  const communities = addCommunities(light);
  expect(light.communities).toBe(communities);
  await eventually(() => communities.channel(channelId) !== undefined);
});
