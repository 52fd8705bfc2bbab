import { expect, test } from 'bun:test';
import type { Comment, Post } from '@hearth/protocol';
import { ConflictError } from '@hearth/sdk';
import { idOf } from '../../test/support/fake-communities.ts';
import { comment, FakePosts, post } from '../../test/support/fake-posts.ts';
import type { Page } from '../communities/page.ts';
import type { ListPlace } from './post-source.ts';

const CHANNEL: ListPlace = { kind: 'channel', id: idOf('2') };
const HOT = { sort: 'hot' } as const;
const ME = { id: idOf('8'), username: 'grace' };

function pageOf<Entry>(entries: readonly Entry[], next?: string): Promise<Page<Entry>> {
  return Promise.resolve({ entries, next });
}

const numbers = (ids: readonly string[] | undefined) => ids?.map(Number);

test('[WC182] pages follow each other without repeating a post, and a list stays as it was left', async () => {
  const asked: (string | undefined)[] = [];
  const { posts } = new FakePosts({
    list: (_place, { cursor }) => {
      asked.push(cursor);
      return cursor === undefined
        ? pageOf([post(30, { pinned: true }), post(20)], 'next')
        : pageOf([post(19), post(30)]);
    },
  });
  const list = posts.lists.of(CHANNEL, HOT);
  await list.open();
  await list.more();
  await list.more();
  expect(numbers(list.ids.value)).toEqual([30, 20, 19]);
  list.anchor = { id: '20', offset: -5 };
  expect(posts.lists.of(CHANNEL, HOT)).toBe(list);
  await list.open();
  expect(list.anchor).toEqual({ id: '20', offset: -5 });
  expect(asked).toEqual([undefined, 'next']);
});

test('[WC182] a list that could not be read says so, and is read again', async () => {
  let isAway = true;
  const { posts } = new FakePosts({
    list: () => (isAway ? Promise.reject(new Error('away')) : pageOf([post(20)])),
  });
  const list = posts.lists.of(CHANNEL, HOT);
  await list.open();
  expect(list.loading.value.state).toBe('failed');
  isAway = false;
  await list.open();
  expect(numbers(list.ids.value)).toEqual([20]);
});

test('[WC182][WC182a] posts of others are announced, and one of the reader comes first below the pinned ones', async () => {
  const fake = new FakePosts({ list: () => pageOf([post(30, { pinned: true }), post(20)]) });
  const list = fake.posts.lists.of(CHANNEL, HOT);
  await list.open();
  fake.report('post', post(31));
  fake.report('post', post(32, { channel_id: idOf('3') }));
  expect(numbers(list.ids.value)).toEqual([30, 20]);
  expect(numbers([...list.news.value])).toEqual([31]);
  fake.report('post', post(33, { user: ME }));
  expect(numbers(list.ids.value)).toEqual([30, 33, 20]);
  fake.report('postDelete', { channel_id: idOf('2'), id: idOf('20') });
  fake.report('postDelete', { channel_id: idOf('2'), id: idOf('31') });
  expect(numbers(list.ids.value)).toEqual([30, 33]);
  expect(list.news.value.size).toBe(0);
});

test('[WC182] what the reader has just written comes first in hot, also after the list was read again', async () => {
  const fake = new FakePosts({ list: () => pageOf([post(30, { pinned: true }), post(20)]) });
  const list = fake.posts.lists.of(CHANNEL, HOT);
  await list.open();
  fake.report('post', post(33, { user: ME }));
  fake.report('post', post(34, { user: ME }));
  fake.report('post', post(35, { user: ME, channel_id: idOf('3') }));
  await list.renew();
  expect(numbers(list.ids.value)).toEqual([30, 34, 33, 20]);
  fake.report('postDelete', { channel_id: idOf('2'), id: idOf('33') });
  await list.renew();
  expect(numbers(list.ids.value)).toEqual([30, 34, 20]);
  const top = fake.posts.lists.of(CHANNEL, { sort: 'top' });
  await top.open();
  expect(numbers(top.ids.value)).toEqual([30, 20]);
});

test('[WC182] an event does not take what only the reader has, and an older one is ignored', () => {
  const { posts, ...fake } = new FakePosts();
  void fake;
  posts.known.learn(post(20, { my_vote: 1, saved: true, new_comments: 3, version: 2 }));
  posts.known.hear(post(20, { title: 'older', version: 1 }));
  posts.known.hear(post(20, { title: 'newer', version: 3 }));
  const known = posts.known.at(idOf('20')).value;
  expect(known).toMatchObject({ title: 'newer', my_vote: 1, saved: true, new_comments: 3 });
  // A list has only the beginning of a text that is known.
  posts.known.learn(post(20, { content: 'all of it', version: 3 }));
  posts.known.learn(post(20, { content: 'all', content_cut: true, version: 3 }));
  expect(posts.known.at(idOf('20')).value?.content).toBe('all of it');
});

test('[WC184][WC184b] what moderators do shows at once, and is taken back if it fails', async () => {
  const refused = Promise.withResolvers<Post>();
  const fake = new FakePosts({ change: () => refused.promise });
  fake.posts.known.learn(post(20));
  const pinning = fake.posts.changes.mark(idOf('20'), { pinned: true });
  const known = fake.posts.known.at(idOf('20'));
  expect(known.value?.pinned).toBe(true);
  const error = new Error('no');
  refused.reject(error);
  await pinning;
  expect(known.value?.pinned).toBeUndefined();
  expect(fake.failures).toEqual([error]);
});

test('[WC186] new comments on a post wait, replies are shown, and the newest of others are marked', async () => {
  const first: Comment[] = [
    comment(10, { reply_count: 1 }),
    comment(13, { parent_id: idOf('10'), depth: 1 }),
    comment(12, { user: ME }),
    comment(11),
  ];
  const fake = new FakePosts({
    find: () => Promise.resolve(post(9, { comment_count: 4, new_comments: 1 })),
    comments: () => pageOf(first),
  });
  const thread = fake.posts.threads.of(idOf('9'));
  await thread.open(undefined);
  const { tree } = thread;
  expect(tree.all().map(({ id }) => [Number(id), tree.node(id).value?.isNew])).toEqual([
    [10, false],
    [13, true],
    [12, false],
    [11, false],
  ]);
  fake.report('comment', { ...comment(20), comment_count: 5 });
  fake.report('comment', {
    ...comment(21, { parent_id: idOf('10'), depth: 1 }),
    comment_count: 6,
  });
  expect(numbers(tree.roots.value)).toEqual([10, 12, 11]);
  expect(numbers(tree.node(idOf('10')).value?.children)).toEqual([13, 21]);
  expect(tree.node(idOf('10')).value?.comment.reply_count).toBe(2);
  expect(thread.post.value?.comment_count).toBe(6);
  thread.showWaiting();
  expect(numbers(tree.roots.value)).toEqual([20, 10, 12, 11]);
  fake.report('commentDelete', { post_id: idOf('9'), id: idOf('21'), comment_count: 5 });
  expect(numbers(tree.node(idOf('10')).value?.children)).toEqual([13]);
  fake.report('score', {
    post_id: idOf('9'),
    comment_id: idOf('11'),
    score: 4,
    upvotes: 4,
    downvotes: 0,
  });
  expect(tree.node(idOf('11')).value?.comment.score).toBe(4);
});

test('[WC187] a linked comment is shown with those above it and its replies, and more of them are asked for', async () => {
  const asked: unknown[] = [];
  const fake = new FakePosts({
    find: () => Promise.resolve(post(9)),
    context: (id, above) => {
      asked.push([Number(id), above]);
      const shown = comment(11, { parent_id: idOf('10'), depth: 1, reply_count: 2 });
      return Promise.resolve([comment(10, { reply_count: 5 }), shown]);
    },
    comments: (_post, { under, cursor }) => {
      asked.push([Number(under), cursor]);
      const id = cursor === undefined ? 12 : 13;
      const reply = comment(id, { parent_id: idOf('11'), depth: 2 });
      return pageOf([reply], cursor === undefined ? 'next' : undefined);
    },
  });
  const thread = fake.posts.threads.of(idOf('9'));
  await thread.open(idOf('11'));
  expect(numbers(thread.tree.roots.value)).toEqual([10]);
  await thread.moreUnder(idOf('11'));
  expect(numbers(thread.tree.node(idOf('11')).value?.children)).toEqual([12, 13]);
  expect(asked).toEqual([
    [11, 8],
    [11, undefined],
    [11, 'next'],
  ]);
});

test('[WC184][WC184a] a poll that has ended while it was shown says so, and shows the result', async () => {
  const option = { id: idOf('1'), text: 'Roses' };
  const poll = { options: [option], ends_at: 1 };
  const ended = { ...poll, options: [{ ...option, votes: 3 }] };
  const error = new ConflictError('no', {
    code: 'poll_ended',
    fieldName: 'option_ids',
    error: 'Ended',
  });
  const fake = new FakePosts({
    votePoll: () => Promise.reject(error),
    find: () => Promise.resolve(post(20, { poll: ended })),
  });
  fake.posts.known.learn(post(20, { poll }));
  await fake.posts.changes.votePoll(idOf('20'), [option.id]);
  expect(fake.failures).toEqual([error]);
  expect(fake.posts.known.find('20')?.poll).toEqual(ended);
});

test('[WC183] a list that was requested before the instance had a vote does not take it back', async () => {
  const listed = Promise.withResolvers<Page<Comment>>();
  const found = Promise.withResolvers<Post>();
  const totals = { score: 1, upvotes: 1, downvotes: 0, my_vote: 1 } as const;
  const answers = [pageOf([comment(10)]), listed.promise];
  const { posts } = new FakePosts({
    find: () => found.promise,
    comments: () => answers.shift() ?? expect.unreachable(),
    vote: () => Promise.resolve(totals),
    voteComment: () => Promise.resolve(totals),
  });
  const thread = posts.threads.of(idOf('9'));
  posts.known.learn(post(9));
  await thread.readComments();
  const opened = thread.open(undefined);
  await Promise.all([posts.changes.vote(idOf('9'), 1), thread.vote(idOf('10'), 1)]);
  listed.resolve({ entries: [comment(10)], next: undefined });
  found.resolve(post(9));
  await opened;
  expect(thread.tree.node(idOf('10')).value?.comment.my_vote).toBe(1);
  expect(thread.post.value?.my_vote).toBe(1);
});
