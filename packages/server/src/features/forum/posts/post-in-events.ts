import type { Id, Poll, Post } from '@hearth/protocol';
import { ANYONE } from '../../../actor.ts';
import { describePolls } from '../polls/polls.ts';
import { namedInPosts } from './complete-posts.ts';
import { describePost, type NamedInPosts } from './describe-post.ts';
import type { PostsContext } from './posts-context.ts';
import type { StoredPost } from './stored-post.ts';

/** Everything that events about posts contain. */
export interface NamedInEvents extends NamedInPosts {
  readonly polls: ReadonlyMap<Id, Poll>;
}

/** Reads what events about posts contain besides the posts. */
export async function namedInEvents(
  ctx: PostsContext,
  posts: readonly StoredPost[],
): Promise<NamedInEvents> {
  const ids = posts.map(({ id }) => id);
  const [named, polls] = await Promise.all([
    namedInPosts(ctx, posts),
    describePolls(ctx, ANYONE, ids),
  ]);
  return { ...named, polls };
}

/** The whole post as events contain it: as everyone sees it. */
export function postInEvents(post: StoredPost, named: NamedInEvents): Post {
  const poll = named.polls.get(post.id);
  return { ...describePost(post, named), ...(poll !== undefined && { poll }) };
}
