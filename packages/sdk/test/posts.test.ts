import {
  GENEROUS_LIMITS,
  startTestInstance,
  type TestInstance,
} from '@hearth/testing/instances/test-instance';
import { until } from '@hearth/testing/until';
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { connect, type Client, type Id } from '../src/index.ts';

const PASSWORD = 'correct horse battery';

let instance: TestInstance;
let ada: Client;
let brendan: Client;
let communityId: Id;
let channelId: Id;

beforeAll(async () => {
  instance = await startTestInstance({ toml: `registration = "open"\n${GENEROUS_LIMITS}` });
  [ada, brendan] = await Promise.all([registered('ada'), registered('brendan')]);
  const garden = { name: 'Garden', slug: 'garden', visibility: 'public', join: 'open' } as const;
  ({ id: communityId } = await ada.communities.create(garden));
  await brendan.communities.join(communityId);
  const oaks = { kind: 'posts', name: 'oaks' } as const;
  ({ id: channelId } = await ada.communities.channels.create(communityId, oaks));
});

afterAll(async () => {
  await ada.close();
  await brendan.close();
  await instance[Symbol.asyncDispose]();
});

async function registered(username: string): Promise<Client> {
  const client = await connect(instance.addresses.rest, { random: () => 0 });
  await client.register({ username, email: `${username}@example.org`, password: PASSWORD });
  await client.open();
  return client;
}

test('[SK40] posts are written, read, changed, voted for, saved and deleted', async () => {
  const { posts } = ada;
  const written = await posts.create(channelId, {
    title: 'Which oak?',
    content: 'I have **two**.',
  });
  expect(written).toMatchObject({ title: 'Which oak?', score: 0, community_id: communityId });
  expect(await posts.change(written.id, { title: 'Which oaks?', locked: false })).toMatchObject({
    title: 'Which oaks?',
    version: 2,
  });
  expect(await brendan.posts.vote(written.id, 1)).toMatchObject({ score: 1, my_vote: 1 });
  expect(await posts.votes(written.id)).toMatchObject([
    { value: 1, user: { username: 'brendan' } },
  ]);
  await brendan.posts.save(written.id);
  const saved = await brendan.posts.list('saved');
  expect(saved).toMatchObject({ entries: [{ id: written.id, saved: true, my_vote: 1 }] });
  await brendan.posts.unsave(written.id);
  await brendan.posts.markRead(written.id);
  expect(await brendan.posts.vote(written.id, 0)).not.toHaveProperty('my_vote');
  await posts.remove(written.id);
  expect((await posts.find(written.id).catch((error) => error)).name).toBe('NotFoundError');
});

test('[SK40][PO8] saved posts are read page by page', async () => {
  const ids: Id[] = [];
  for (const title of ['Ash', 'Beech', 'Elm']) {
    const { id } = await ada.posts.create(channelId, { title });
    await brendan.posts.save(id);
    ids.unshift(id);
  }
  const seen: Id[] = [];
  for await (const { id } of brendan.posts.all('saved', { limit: 1 })) seen.push(id);
  expect(seen).toEqual(ids);
  for (const id of ids) await ada.posts.remove(id);
});

test('[SK40] the rules of points, and the points of somebody, are read', async () => {
  expect(await ada.posts.pointRules(communityId)).toMatchObject({ vote: expect.any(Number) });
  const { id: adaId } = await ada.me();
  expect(await brendan.posts.points(adaId)).toMatchObject({ points: expect.any(Number) });
});

test('[SK41] posts of others are reported as they come, change and go', async () => {
  const heard: string[] = [];
  using stops = new DisposableStack();
  stops.defer(brendan.on('post', ({ post, isOwn }) => void heard.push(`+${post.title} ${isOwn}`)));
  stops.defer(brendan.on('postUpdate', ({ title }) => void heard.push(`~${title}`)));
  stops.defer(brendan.on('postDelete', () => void heard.push('-')));
  const { id } = await ada.posts.create(channelId, { title: 'Elms' });
  await ada.posts.change(id, { title: 'Old elms' });
  await ada.posts.remove(id);
  await until(async () => heard.length === 3);
  expect(heard).toEqual(['+Elms false', '~Old elms', '-']);
});

test('[SK40] comments are written, read as a tree, changed and deleted', async () => {
  const { id } = await ada.posts.create(channelId, { title: 'Ash' });
  const { comments } = brendan.posts;
  const root = await comments.create(id, 'Tall');
  const reply = await ada.posts.comments.reply(root, 'And old');
  expect((await comments.list(id)).entries.map(({ depth, content }) => [depth, content])).toEqual([
    [0, 'Tall'],
    [1, 'And old'],
  ]);
  expect(await comments.context(reply.id, { context: 1 })).toMatchObject([
    { id: root.id },
    { id: reply.id },
  ]);
  expect(await comments.change(root.id, 'Very tall')).toMatchObject({
    content: 'Very tall',
    version: 2,
  });
  expect(await ada.posts.comments.vote(root.id, 1)).toMatchObject({ score: 1, my_vote: 1 });
  const { id: brendanId } = await brendan.me();
  expect((await ada.posts.comments.ofUser(brendanId)).entries[0]).toMatchObject({ id: root.id });
  await comments.remove(root.id);
  const left = await comments.list(id);
  expect(left.entries).toMatchObject([{ deleted: true }, { content: 'And old' }]);
});

test('[SK40] posts are listed page by page, in every order and place', async () => {
  const oaks = { kind: 'posts', name: 'pages' } as const;
  const { id } = await ada.communities.channels.create(communityId, oaks);
  for (const title of ['one', 'two', 'three', 'four', 'five'])
    await ada.posts.create(id, { title });
  for (const sort of ['hot', 'new', 'active', 'top', 'controversial'] as const) {
    const titles: string[] = [];
    for await (const { title } of brendan.posts.all({ channel_id: id }, { sort, limit: 2 })) {
      titles.push(title);
    }
    expect([sort, titles]).toEqual([sort, ['five', 'four', 'three', 'two', 'one']]);
  }
  const { id: user_id } = await ada.me();
  for (const place of [{ community_id: communityId }, { user_id }, 'feed'] as const) {
    const { entries } = await brendan.posts.list(
      place,
      'user_id' in Object(place) ? {} : { sort: 'new' },
    );
    expect(entries[0]?.title).toBe('five');
  }
});

test('[SK42][SK43] a post that is open shows what others write, change, vote and delete', async () => {
  const { id } = await ada.posts.create(channelId, { title: 'Live' });
  const first = await ada.posts.comments.create(id, 'first');
  using live = brendan.posts.open(id);
  await until(async () => live.isLive && live.state === 'ready');
  expect(live.comments).toMatchObject([{ id: first.id }]);
  const reply = await ada.posts.comments.reply(first, 'reply');
  await until(async () => live.comments.length === 2);
  expect(live.comments[0]?.reply_count).toBe(1);
  expect(live.post?.comment_count).toBe(2);
  await ada.posts.comments.change(first.id, 'changed');
  await ada.posts.vote(id, 1);
  await ada.posts.comments.vote(reply.id, 1);
  await until(
    async () =>
      live.comments[0]?.content === 'changed' &&
      live.post?.score === 1 &&
      live.comments[1]?.score === 1,
  );
  await ada.posts.comments.remove(reply.id);
  await until(async () => live.comments.length === 1);
  expect(live.comments[0]?.reply_count).toBe(0);
  await ada.posts.remove(id);
  await until(async () => live.state === 'gone');
});
