import type { ReceivedComment, ReceivedPost } from '@hearth/protocol/received-posts';
import { PostFeed } from '../../src/posts/post-feed.ts';
import { PostsClient } from '../../src/posts/posts-client.ts';
import { idOf } from './communities.ts';
import { fakeHost, type FakeHost } from './fake-host.ts';

export const POST = idOf(500);

const TOTALS = { score: 0, upvotes: 0, downvotes: 0 } as const;

/** A post in channel 110 of community 100. */
export function postOf(change: Partial<ReceivedPost> = {}): ReceivedPost {
  return {
    id: POST,
    channel_id: idOf(110),
    community_id: idOf(100),
    user: { id: idOf(2), username: 'brendan' },
    title: 'Oaks',
    created_at: 1,
    ...TOTALS,
    comment_count: 0,
    version: 1,
    ...change,
  };
}

/** A comment on it. */
export function commentOf(id: number, change: Partial<ReceivedComment> = {}): ReceivedComment {
  return {
    id: idOf(id),
    post_id: POST,
    channel_id: idOf(110),
    depth: 0,
    user: { id: idOf(2), username: 'brendan' },
    content: `comment ${id}`,
    created_at: 1,
    ...TOTALS,
    reply_count: 0,
    version: 1,
    ...change,
  };
}

/** A host whose part for communities has posts. */
export function postsHost(): FakeHost & { readonly posts: PostsClient } {
  const host = fakeHost();
  const posts = host.part.addPosts((lent) => new PostsClient(lent.api, new PostFeed(lent)));
  return { ...host, posts };
}
