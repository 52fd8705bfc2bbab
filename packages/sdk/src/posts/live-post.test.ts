import { expect, test } from 'bun:test';
import { GARDEN_PLACES } from '../../test/support/fake-host.ts';
import { idOf, ownCommunity } from '../../test/support/communities.ts';
import { commentOf, POST, postOf, postsHost } from '../../test/support/posts.ts';
import type { LivePost } from './live-post.ts';

const READS = ['GET /posts/500', 'GET /posts/500/comments'];
const WATCHED = { channels: [], communities: [], users: [], posts: [POST] };

async function settled(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

/** A host of a gateway that is open, with a post that has one comment. */
function openHost() {
  const host = postsHost();
  for (const [stream, place] of GARDEN_PLACES) host.places.set(stream, place);
  host.ready({ communities: [ownCommunity()] });
  host.answers.set('GET /posts/500', () => postOf({ comment_count: 1, my_vote: 1 }));
  host.answers.set('GET /posts/500/comments', () => [commentOf(1)]);
  return host;
}

async function openPost(): Promise<ReturnType<typeof openHost> & { live: LivePost }> {
  const host = openHost();
  const live = host.posts.open(POST);
  host.watched('WATCHED', WATCHED);
  await settled();
  return { ...host, live };
}

test('[SK42] a post is watched first and read then', async () => {
  const host = openHost();
  using live = host.posts.open(POST);
  await settled();
  expect(host.sent).toEqual([{ op: 'WATCH', d: WATCHED }]);
  expect([host.asked, live.state, live.isLive]).toEqual([[], 'loading', false]);
  host.watched('WATCHED', WATCHED);
  await settled();
  expect(host.asked).toEqual(READS);
  expect([live.state, live.isLive, live.post?.title]).toEqual(['ready', true, 'Oaks']);
  expect(live.comments).toHaveLength(1);
  host.watched('WATCHED', WATCHED);
  await host.clock.advance(60_000);
  expect(host.asked).toEqual(READS);
});

test('[SK42] without an answer of the gateway, the post is read, and again when it is watched', async () => {
  const host = openHost();
  using live = host.posts.open(POST);
  await host.clock.advance(499);
  expect(host.asked).toEqual([]);
  await host.clock.advance(1);
  await settled();
  expect([live.state, live.isLive]).toEqual(['ready', false]);
  host.watched('WATCHED', WATCHED);
  await settled();
  expect(host.asked).toEqual([...READS, ...READS]);
});

test('[SK42] after a loss of the connection, the post is watched and read again, with what was unfolded', async () => {
  const host = await openPost();
  const { live } = host;
  const under = 'GET /posts/500/comments?under=1';
  host.answers.set(under, () => [commentOf(2, { parent_id: idOf(1), depth: 1 })]);
  await live.more(idOf(1));
  host.listener.left();
  expect(live.isLive).toBe(false);
  host.asked.splice(0);
  host.answers.set('GET /posts/500', () => postOf({ title: 'Elms', version: 2 }));
  host.answers.set('GET /posts/500/comments', () => [commentOf(1), commentOf(3)]);
  host.answers.set(under, () => [commentOf(2, { parent_id: idOf(1), depth: 1 })]);
  host.resumed();
  expect(host.sent.splice(1)).toEqual([{ op: 'WATCH', d: WATCHED }]);
  host.watched('WATCHED', WATCHED);
  await settled();
  expect(host.asked).toEqual([...READS, under]);
  expect(live.post?.title).toBe('Elms');
  expect(live.comments.map(({ id }) => Number(id))).toEqual([1, 2, 3]);
  live.close();
});

test('[SK43] what comes while the answer is on its way is applied after it', async () => {
  const host = openHost();
  const { promise, resolve } = Promise.withResolvers<unknown>();
  host.answers.set('GET /posts/500/comments', () => promise);
  using live = host.posts.open(POST);
  host.watched('WATCHED', WATCHED);
  host.watched('COMMENT_CREATE', { ...commentOf(2), comment_count: 2 });
  host.watched('COMMENT_UPDATE', commentOf(1, { version: 2, content: 'changed' }));
  host.watched('SCORE_UPDATE', { post_id: POST, score: 5, upvotes: 5, downvotes: 0 });
  host.event('c:100', 'POST_UPDATE', postOf({ title: 'Elms', version: 2 }));
  await settled();
  expect(live.state).toBe('loading');
  resolve([commentOf(1)]);
  await settled();
  expect(live.comments.map(({ content }) => content)).toEqual(['comment 2', 'changed']);
  expect(live.post).toMatchObject({ title: 'Elms', my_vote: 1 });
});

test('[SK43] events change the post and its comments, each once, and older ones do not', async () => {
  const host = await openPost();
  const { live } = host;
  const heard: string[] = [];
  live.on('comment', ({ id }) => void heard.push(id));
  const created = {
    ...commentOf(2, { parent_id: idOf(1), depth: 1 }),
    comment_count: 2,
    parent_reply_count: 1,
  };
  for (let times = 0; times < 2; times += 1) host.watched('COMMENT_CREATE', created);
  expect(live.comments).toHaveLength(2);
  expect(live.comments[0]?.reply_count).toBe(1);
  expect(live.post?.comment_count).toBe(2);
  host.watched('SCORE_UPDATE', { post_id: POST, score: 3, upvotes: 4, downvotes: 1 });
  host.watched('SCORE_UPDATE', {
    post_id: POST,
    comment_id: '2',
    score: 1,
    upvotes: 1,
    downvotes: 0,
  });
  expect([live.post?.score, live.comments[1]?.score]).toEqual([3, 1]);
  host.event('c:100', 'POST_UPDATE', postOf({ title: 'Third', version: 3 }));
  host.event('c:100', 'POST_UPDATE', postOf({ title: 'Second', version: 2 }));
  expect(live.post).toMatchObject({ title: 'Third', my_vote: 1 });
  const removed = { post_id: POST, id: '2', comment_count: 1, parent: { id: '1', reply_count: 0 } };
  for (let times = 0; times < 2; times += 1) host.watched('COMMENT_DELETE', removed);
  expect(live.comments).toHaveLength(1);
  expect(live.comments[0]?.reply_count).toBe(0);
  expect(heard).toEqual(['2']);
  host.event('c:100', 'POST_DELETE', { channel_id: idOf(110), id: POST });
  expect([live.state, live.post, live.comments]).toEqual(['gone', undefined, []]);
});

test('[SK43] what the reader does shows at once, and only once when the event comes', async () => {
  const host = await openPost();
  const { live } = host;
  host.answers.set('PUT /posts/500/vote', () => ({
    score: -1,
    upvotes: 0,
    downvotes: 1,
    my_vote: -1,
  }));
  host.answers.set('PUT /comments/1/vote', () => ({
    score: 1,
    upvotes: 1,
    downvotes: 0,
    my_vote: 1,
  }));
  host.answers.set('POST /posts/500/comments', () =>
    commentOf(2, { parent_id: idOf(1), depth: 1 }),
  );
  await live.vote(-1);
  await live.voteComment(idOf(1), 1);
  await live.comment({ content: 'comment 2', parent_id: idOf(1) });
  expect(live.post).toMatchObject({ my_vote: -1, score: -1 });
  expect(live.comments[0]).toMatchObject({ my_vote: 1, score: 1, reply_count: 1 });
  const d = {
    ...commentOf(2, { parent_id: idOf(1), depth: 1 }),
    comment_count: 2,
    parent_reply_count: 1,
  };
  host.watched('COMMENT_CREATE', d);
  expect(live.comments).toHaveLength(2);
  expect(live.comments[0]?.reply_count).toBe(1);
});

test('[SK42] a post that cannot be seen is gone, and one that cannot be read is read again', async () => {
  const host = openHost();
  host.answers.delete('GET /posts/500');
  using gone = host.posts.open(POST);
  host.watched('WATCHED', WATCHED);
  await settled();
  expect(gone.state).toBe('gone');
  const other = openHost();
  const { answers } = other;
  answers.set('GET /posts/500', () =>
    Response.json({ status: 500, message: 'no' }, { status: 500 }),
  );
  using live = other.posts.open(POST);
  other.watched('WATCHED', WATCHED);
  await settled();
  expect(live.state).toBe('failed');
  answers.set('GET /posts/500', () => postOf());
  answers.set('GET /posts/500/comments', () => []);
  await other.clock.advance(5_000);
  await settled();
  expect(live.state).toBe('ready');
});

test('[SK42] the post opened last is watched first, and one that is closed no longer', async () => {
  const host = openHost();
  const first = host.posts.open(POST);
  host.part.watch({ posts: [idOf(502)] });
  host.posts.open(idOf(501));
  await host.clock.advance(2_000);
  expect(host.sent.at(-1)).toMatchObject({ d: { posts: ['501', '500', '502'] } });
  first.close();
  first.close();
  await host.clock.advance(2_000);
  expect(host.sent.at(-1)).toMatchObject({ d: { posts: ['501', '502'] } });
  host.watched('COMMENT_CREATE', { ...commentOf(2), comment_count: 2 });
  expect(first.comments.map(({ id }) => id)).toEqual([idOf(1)]);
});
