import type { Post } from '@hearth/protocol';
import type { Actor } from '../../actor.ts';
import type { CommunityContext } from '../communities/community-context.ts';
import { findVotes } from '../votes/find-votes.ts';
import type { StoredPost } from './stored-post.ts';

/** How the caller votes for posts. */
export async function describeVotes(
  ctx: CommunityContext,
  actor: Actor,
  posts: readonly StoredPost[],
): Promise<(post: StoredPost) => Partial<Post> | undefined> {
  if (actor.kind !== 'user') return () => undefined;
  const ids = posts.map(({ id }) => id);
  const votes = await findVotes(ctx, actor.user_id, ids);
  return ({ id }) => {
    const vote = votes.get(id);
    return vote && { my_vote: vote };
  };
}
