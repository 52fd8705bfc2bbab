import {
  GENEROUS_LIMITS,
  startTestInstance,
  type TestInstance,
} from '@hearth/testing/instances/test-instance';
import { until } from '@hearth/testing/until';
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { connect, memoryTokens, type Client, type Post, type WholeSearch } from '../src/index.ts';

let instance: TestInstance;
let ada: Client;
let bob: Client;
let post: Post;

async function enter(username: string): Promise<Client> {
  const client = await connect(instance.addresses.rest, {
    tokens: memoryTokens(),
    author: username,
  });
  const email = `${username}@example.org`;
  await client.register({ username, email, password: 'correct horse battery' });
  return client;
}

/** The kinds and texts of everything that is found, the newest first. */
async function found(client: Client, kind?: 'messages' | 'posts' | 'comments') {
  const { entries } = await client.posts.searchAll({ text: 'lantern', kind });
  return entries.map((entry) => {
    if (entry.kind === 'posts') return entry.post.title;
    return entry.kind === 'comments' ? entry.comment.content : entry.message.content;
  });
}

beforeAll(async () => {
  const toml = `registration = "open"\n${GENEROUS_LIMITS}`;
  instance = await startTestInstance({ toml });
  [ada, bob] = [await enter('ada'), await enter('bob')];
  const garden = { name: 'Garden', slug: 'garden', kind: 'both', visibility: 'public' } as const;
  const { id, channels } = await ada.communities.create(garden);
  const general = channels.find(({ kind }) => kind === 'messages')?.id ?? expect.unreachable();
  const make = (kind: 'posts' | 'messages', name: string) =>
    ada.communities.channels.create(id, { kind, name });
  const [oaks, hidden] = [await make('posts', 'oaks'), await make('messages', 'hidden')];
  const everyone = { channel_id: hidden.id, id };
  const change = { kind: 'role' as const, allow: [], deny: ['VIEW' as const] };
  await ada.communities.channels.setOverwrite(everyone, change);
  await bob.communities.join(id);
  await ada.send('lobby lantern');
  await ada.channel(general).send('channel lantern');
  await ada.channel(hidden.id).send('hidden lantern');
  post = await ada.posts.create(oaks.id, { title: 'lantern post' });
  await bob.posts.comments.create(post.id, { content: 'lantern comment' });
  await until(async () => (await found(ada)).length === 5);
}, 60_000);

afterAll(async () => {
  await ada.close();
  await bob.close();
  await instance[Symbol.asyncDispose]();
});

test('[SE5][SE25][SE25a] a search over everything finds what the caller sees in the lobby and their communities, the newest first', async () => {
  const seen = ['lantern comment', 'lantern post', 'channel lantern', 'lobby lantern'];
  expect(await found(bob)).toEqual(seen);
  expect(await found(ada)).toEqual([...seen.slice(0, 2), 'hidden lantern', ...seen.slice(2)]);
  expect(await found(bob, 'messages')).toEqual(seen.slice(2));
  expect(await found(bob, 'posts')).toEqual(['lantern post']);
  expect(await found(bob, 'comments')).toEqual(['lantern comment']);
  const first = await bob.posts.searchAll({ text: 'lantern', from: 'ada', limit: 2 });
  expect(first.entries.map(({ kind }) => kind)).toEqual(['posts', 'messages']);
  const second = await bob.posts.searchAll({ text: 'lantern', before: first.next });
  expect(second.entries.map(({ kind }) => kind)).toEqual(['messages']);
});

test('[SE5][SE19][SE25b] the library searches one place for all kinds, and answers of one kind have the same shape', async () => {
  const { id } = await bob.communities.bySlug('garden');
  const find = async (search: WholeSearch) =>
    (await bob.posts.searchAll({ text: 'lantern', ...search })).entries;
  const all = await find({});
  expect(await find({ community: id })).toEqual(all.slice(0, -1));
  expect(await find({ in: post.channel_id })).toEqual(all.slice(0, 2));
  expect(await find({ in: 'lobby' })).toEqual(all.slice(-1));
  for (const kind of ['messages', 'posts', 'comments'] as const) {
    expect(await find({ kind })).toEqual(all.filter((each) => each.kind === kind));
  }
});

test('[SE26][SE26a] the library counts what is found', async () => {
  const { total, more, kinds, authors } = await bob.posts.countFound({ text: 'lantern' });
  expect([total, more]).toEqual([4, undefined]);
  expect(kinds.map(({ kind, count }) => [kind, count])).toEqual([
    ['messages', 2],
    ['comments', 1],
    ['posts', 1],
  ]);
  expect(authors.map(({ author, count }) => [author, count])).toEqual([
    ['ada', 3],
    ['bob', 1],
  ]);
  const inOaks = await bob.posts.countFound({
    text: 'lantern',
    in: post.channel_id,
    kind: 'posts',
  });
  const place = { place: post.channel_id, community: post.community_id, name: 'oaks', count: 1 };
  expect(inOaks.places).toEqual([place]);
  const { id } = await bob.communities.bySlug('garden');
  expect((await bob.posts.countFound({ text: 'lantern', community: id })).total).toBe(3);
});

test('[SE25] guests, and people without a community, find what is in the lobby', async () => {
  await using guest = await connect(instance.addresses.rest);
  expect(await found(guest)).toEqual(['lobby lantern']);
  await using eve = await enter('eve');
  expect(await found(eve)).toEqual(['lobby lantern']);
});
