import { expect, test } from 'bun:test';
import {
  receivedPostEvent,
  receivedPostOfChannel,
  receivedWatchedPostEvent,
} from './received-posts.ts';

const user = { id: '1', username: 'ada' };
const post = {
  id: '500',
  channel_id: '110',
  community_id: '100',
  user,
  title: 'Oaks',
  created_at: 1,
  score: 0,
  upvotes: 0,
  downvotes: 0,
  comment_count: 0,
  version: 1,
};
const comment = {
  id: '600',
  post_id: '500',
  channel_id: '110',
  depth: 0,
  user,
  content: 'Tall',
  created_at: 1,
  reply_count: 0,
  version: 1,
};

test('names of later versions are left out of posts, and so is what cannot be understood in their lists', () => {
  const file = { id: '9', name: 'a', bucket: 'attachments', metadata: { type: 'song' }, alt: 'A' };
  const later = {
    ...post,
    mood: 'green',
    attachments: [file, { id: '10' }],
    embeds: [{ url: 'https://example.org', picture: file, smell: 1 }, 7],
    mention_posts: [{ id: '501', title: 'Elms' }, {}],
  };
  const read = { ...file, metadata: { type: 'other' } };
  expect(receivedPostOfChannel.parse(later) as unknown).toEqual({
    ...post,
    attachments: [read],
    embeds: [{ url: 'https://example.org', picture: read }],
    mention_posts: [{ id: '501', title: 'Elms' }],
  });
});

test('an event about posts has the shape of its kind, or is not understood', () => {
  const created = { op: 'POST_CREATE', t: 'c:100', s: 4, d: { ...post, nonce: 'n' } };
  expect(receivedPostEvent.parse(created)).toMatchObject({ d: { id: '500', nonce: 'n' } });
  for (const broken of [
    { ...created, d: {} },
    { ...created, op: 'POST_DREAM' },
  ]) {
    expect(receivedPostEvent.safeParse(broken).success).toBe(false);
  }
});

test('what is sent of a watched post is understood, with the totals that it has from now on', () => {
  const d = { ...comment, parent_id: '599', comment_count: 3, parent_reply_count: 2, later: 1 };
  const { later: _, ...known } = d;
  expect(receivedWatchedPostEvent.parse({ op: 'COMMENT_CREATE', d }).d as unknown).toEqual(known);
  const score = { post_id: '500', comment_id: '600', score: 1, upvotes: 2, downvotes: 1 };
  expect(receivedWatchedPostEvent.parse({ op: 'SCORE_UPDATE', d: score }).d as unknown).toEqual(
    score,
  );
  expect(receivedWatchedPostEvent.safeParse({ op: 'COMMENT_CREATE', d: comment }).success).toBe(
    false,
  );
});
