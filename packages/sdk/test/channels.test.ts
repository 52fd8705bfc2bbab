import {
  GENEROUS_LIMITS,
  startTestInstance,
  type TestInstance,
} from '@hearth/testing/instances/test-instance';
import { until } from '@hearth/testing/until';
import { afterAll, afterEach, beforeAll, expect, test } from 'bun:test';
import {
  connect,
  memoryTokens,
  type ChannelClient,
  type Client,
  type ClientOptions,
  type Id,
  type LimitState,
  type TokenStorage,
} from '../src/index.ts';
import { cuttableClient } from './support/cuttable-client.ts';

const PASSWORD = 'correct horse battery';

let instance: TestInstance;
let ada: Client;
let brendan: Client;
const adaTokens = memoryTokens();
const brendanTokens = memoryTokens();
let communityId: Id;
let ended: AsyncDisposable[] = [];

beforeAll(async () => {
  instance = await startTestInstance({ toml: `registration = "open"\n${GENEROUS_LIMITS}` });
  ada = await registered('ada', adaTokens);
  brendan = await registered('brendan', brendanTokens);
  const garden = { name: 'Garden', slug: 'garden', visibility: 'public', join: 'open' } as const;
  ({ id: communityId } = await ada.communities.create(garden));
  await brendan.communities.join(communityId);
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

async function registered(username: string, tokens: TokenStorage): Promise<Client> {
  const client = await connect(instance.addresses.rest, { tokens, random: () => 0 });
  await client.register({ username, email: `${username}@example.org`, password: PASSWORD });
  await client.open();
  return client;
}

function eventually(isMet: () => boolean): Promise<void> {
  return until(async () => isMet());
}

let channels = 0;

/** A channel of the community that everybody in it sees. */
async function newChannel(): Promise<Id> {
  channels += 1;
  const name = `channel-${channels}`;
  const { id } = await ada.communities.channels.create(communityId, { kind: 'messages', name });
  await eventually(() => brendan.communities.channel(id) !== undefined);
  return id;
}

/** Records what is reported of a channel. */
function recorded(channel: ChannelClient): string[] {
  const seen: string[] = [];
  channel.on('message', ({ content, isOwn }) => void seen.push(`${isOwn ? 'own ' : ''}${content}`));
  channel.on('messageUpdate', ({ content }) => void seen.push(`changed to ${content}`));
  channel.on('messageDelete', () => void seen.push('deleted'));
  channel.on('gap', () => void seen.push('gap'));
  return seen;
}

async function cuttable(options: ClientOptions = {}) {
  const broken = await cuttableClient(instance, {
    tokens: memoryTokens(brendanTokens.read()),
    ...options,
  });
  ended.push(broken);
  await broken.client.open();
  return broken;
}

test('[SK36] messages of a channel come once and in order, with their changes, and those of others do not', async () => {
  const [id, other] = [await newChannel(), await newChannel()];
  const seen = recorded(brendan.channel(id));
  const first = await ada.channel(id).send('one');
  await ada.channel(other).send('elsewhere');
  const own = await brendan.channel(id).send({ content: 'two' });
  await ada.channel(id).change(first.id, '1');
  await brendan.channel(id).remove(own.id);
  await ada.channel(id).reply(first, 'three');
  await eventually(() => seen.length === 5);
  expect(seen).toEqual(['one', 'own two', 'changed to 1', 'deleted', 'three']);
  expect((await brendan.channel(id).history()).map(({ content }) => content)).toEqual([
    'three',
    '1',
  ]);
});

test('[SK36] what was missed is read from the history, also in a restricted channel', async () => {
  const id = await newChannel();
  const { client, cutter } = await cuttable();
  const { id: user_id } = await brendan.me();
  const all = { kind: 'role', allow: [], deny: ['VIEW'] } as const;
  const member = { kind: 'member', allow: ['VIEW'], deny: [] } as const;
  const seen = recorded(client.channel(id));
  const reader = client.channel(id).messages();
  await ada.channel(id).send('open');
  await eventually(() => seen.length === 1);
  const setOverwrite = (of: Id, overwrite: typeof all | typeof member) =>
    ada.communities.channels.setOverwrite(
      { channel_id: id, id: of },
      { ...overwrite, allow: [...overwrite.allow], deny: [...overwrite.deny] },
    );
  await setOverwrite(user_id, member);
  await setOverwrite(communityId, all);
  await ada.channel(id).send('restricted');
  await eventually(() => seen.length === 2);
  cutter.refuse(true);
  cutter.cut();
  await eventually(() => client.connection.state === 'waiting');
  await ada.channel(id).send('meanwhile');
  await ada.communities.channels.removeOverwrite({ channel_id: id, id: communityId });
  await ada.channel(id).send('open again');
  cutter.refuse(false);
  await eventually(() => seen.length === 4);
  expect(seen).toEqual(['open', 'restricted', 'meanwhile', 'open again']);
  const read: string[] = [];
  for await (const { content } of reader) {
    read.push(content);
    if (read.length === 4) break;
  }
  expect(read).toEqual(seen);
});

test('[SK37] what is unread, and who is mentioned, shows on all devices until it is read on one', async () => {
  const id = await newChannel();
  const { client: phone } = await cuttable();
  const desk = brendan;
  const { id: first } = await ada.channel(id).send('one');
  const { id: second } = await ada.channel(id).send('two for @brendan');
  await eventually(() => desk.channel(id).readState.mentions === 1);
  await eventually(() => phone.channel(id).readState.mentions === 1);
  expect(phone.channel(id).readState.isUnread).toBe(true);
  expect(desk.communities.unread(communityId).isUnread).toBe(true);
  await phone.channel(id).markRead(second);
  await eventually(() => !desk.channel(id).readState.isUnread);
  expect(desk.channel(id).readState).toEqual({
    channel_id: id,
    last_read_id: second,
    isUnread: false,
    mentions: 0,
  });
  await desk.channel(id).markUnread(first);
  await eventually(() => phone.channel(id).readState.isUnread);
  expect(phone.channel(id).readState.last_read_id).toBe(first);
  const { id: third } = await desk.channel(id).send('an answer');
  await eventually(() => phone.channel(id).readState.last_read_id === third);
  expect(phone.channel(id).readState.isUnread).toBe(false);
});

test('[SK38] a message whose answer was lost is sent again, and posted once', async () => {
  const id = await newChannel();
  let losses = 1;
  const client = await connect(instance.addresses.rest, {
    tokens: memoryTokens(brendanTokens.read()),
    async fetch(url, init) {
      const answer = await globalThis.fetch(url, init);
      if (init?.method !== 'POST' || losses === 0) return answer;
      losses -= 1;
      throw new TypeError('the connection broke');
    },
  });
  ended.push(client);
  const seen = recorded(ada.channel(id));
  const sent = await client.channel(id).send('once');
  await ada.channel(id).send('after it');
  await eventually(() => seen.length === 2);
  expect(losses).toBe(0);
  expect(seen).toEqual(['once', 'own after it']);
  expect((await client.channel(id).history()).map((message) => message.id)).toContain(sent.id);
});

test('[SK38] slow mode of the lobby holds back the lobby only', async () => {
  const id = await newChannel();
  const slow = new Set<string>();
  const client = await connect(instance.addresses.rest, {
    tokens: memoryTokens(brendanTokens.read()),
    async fetch(url, init) {
      if (init?.method !== 'POST' || !slow.has(String(url))) return globalThis.fetch(url, init);
      const error = {
        type: 'RATE_LIMITED',
        status: 429,
        message: 'slow',
        data: { retry_after: 9e5 },
      };
      return Response.json(error, {
        status: 429,
        headers: {
          'X-RateLimit-Reset': '5000',
          'X-RateLimit-Max': '100000',
          'X-RateLimit-Last-Reset': String(Date.now()),
          'X-RateLimit-Request-Count': '1',
        },
      });
    },
  });
  ended.push(client);
  slow.add(`${instance.addresses.rest}/messages`);
  const states: LimitState[] = [];
  client.on('limit', ({ state }) => void states.push(state));
  void client.send({ author: 'brendan', content: 'slow' }).catch(() => undefined);
  await eventually(() => states.some(({ waiting, freeAtMs }) => waiting === 1 && freeAtMs > 0));
  const { content } = await client.channel(id).send('meanwhile');
  expect(content).toBe('meanwhile');
  expect(client.limits.state('message_send').waiting).toBe(1);
});

test('[SK36] reactions, pins and deleting many show, and a page has them', async () => {
  const id = await newChannel();
  const [by, seenBy] = [ada.channel(id), brendan.channel(id)];
  const seen: string[] = [];
  seenBy.on('reaction', ({ emoji, count }) => void seen.push(`${emoji} ${count}`));
  seenBy.on('pin', ({ isPinned }) => void seen.push(isPinned ? 'pinned' : 'unpinned'));
  seenBy.on('messageDelete', () => void seen.push('deleted'));
  const first = await by.send('one');
  const second = await by.send('two');
  await by.react(first.id, '🌳');
  await by.pin(first.id);
  await eventually(() => seen.length === 2);
  expect((await seenBy.pins()).map((message) => message.id)).toEqual([first.id]);
  const [, page] = await seenBy.history();
  expect(page).toMatchObject({ pinned: true, reactions: [{ emoji: '🌳', count: 1 }] });
  expect((await seenBy.listReacted(first.id, '🌳')).map(({ username }) => username)).toEqual([
    'ada',
  ]);
  await by.unreact(first.id, '🌳');
  await by.unpin(first.id);
  await by.removeMany([first.id, second.id]);
  await eventually(() => seen.length === 6);
  expect(seen).toEqual(['🌳 1', 'pinned', '🌳 0', 'unpinned', 'deleted', 'deleted']);
  expect(await by.reach('hello @brendan')).toBe(1);
});

test('[SK39] those who watch see who writes, who is there and who joins, also after a reconnection', async () => {
  const id = await newChannel();
  const { client, cutter } = await cuttable();
  const seen: string[] = [];
  client.on('watched', ({ channels: watched }) => void seen.push(`watches ${watched.length}`));
  client.on('typing', ({ user }) => void seen.push(`${user.username} writes`));
  client.on('member', ({ user }) => void seen.push(`${user.username} joins`));
  client.on('memberRemoved', () => void seen.push('somebody leaves'));
  client.watch({ channels: [id], communities: [communityId] });
  await eventually(() => seen.length === 1);
  await ada.channel(id).typing();
  await eventually(() => seen.length === 2);
  cutter.cut();
  await eventually(() => seen.length === 3);
  const cleo = await registered('cleo', memoryTokens());
  ended.push(cleo);
  await cleo.communities.join(communityId);
  await eventually(() => seen.length === 4);
  await cleo.channel(id).typing();
  await eventually(() => seen.length === 5);
  await cleo.communities.leave(communityId);
  await eventually(() => seen.length === 6);
  expect(seen).toEqual([
    'watches 1',
    'ada writes',
    'watches 1',
    'cleo joins',
    'cleo writes',
    'somebody leaves',
  ]);
});

test('[SK36] a channel of a public community can be followed without joining, while the community is watched', async () => {
  const id = await newChannel();
  const dora = await registered('dora', memoryTokens());
  ended.push(dora);
  dora.watch({ communities: [communityId] });
  await dora.channel(id).open();
  const seen = recorded(dora.channel(id));
  await ada.channel(id).send('hello, visitors');
  await eventually(() => seen.length === 1);
  expect(seen).toEqual(['hello, visitors']);
  expect(dora.communities.all()).toEqual([]);
});

test('[SK34] who is mentioned is notified, on all devices, until the notification is read on one', async () => {
  const id = await newChannel();
  const { client: phone } = await cuttable();
  const seen: string[] = [];
  phone.on('notification', ({ kind, user }) => void seen.push(`${kind} by ${user?.username}`));
  phone.on('notificationsRead', () => void seen.push('read'));
  const { id: messageId } = await ada.channel(id).send('look, @brendan');
  await eventually(() => seen.length === 1);
  const [newest] = await brendan.notifications.list({ limit: 1 });
  expect(newest).toMatchObject({ channel_id: id, message_id: messageId });
  if (newest !== undefined) await brendan.notifications.markRead(newest.id);
  await eventually(() => seen.length === 2);
  expect(seen).toEqual(['mention by ada', 'read']);
});
