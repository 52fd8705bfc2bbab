import type { Comment, PostSettings } from '@hearth/protocol';
import type { Actor } from '../../actor.ts';
import type { CommunityContext } from '../communities/community-context.ts';
import { mentionedPosts } from '../posts/post-links.ts';
import { findVotes } from '../votes/find-votes.ts';
import { describeComment, peopleIn } from './describe-comment.ts';
import type { StoredComment } from './stored-comment.ts';

/** Comments with everything that they name, and with how the caller votes. */
export async function completeComments(
  ctx: CommunityContext,
  actor: Actor,
  all: readonly { readonly comment: StoredComment; readonly settings: PostSettings }[],
): Promise<readonly Comment[]> {
  const comments = all.map(({ comment }) => comment);
  const voted = comments.filter(({ upvotes, downvotes }) => upvotes + downvotes > 0);
  const ids = voted.map(({ id }) => id);
  const users = await ctx.users.all(peopleIn(comments));
  const votes = actor.kind === 'user' ? await findVotes(ctx, actor.user_id, ids) : undefined;
  const posts = await mentionedPosts(ctx, comments);
  const named = { users, posts, nowMs: ctx.clock.unixMs(), ...(votes && { votes }) };
  return all.map(({ comment, settings }) => describeComment(comment, settings, named));
}
