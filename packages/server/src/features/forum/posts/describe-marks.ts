import type { Post } from '@hearth/protocol';
import type { Actor } from '../../../actor.ts';
import type { Context } from '../../../context.ts';
import { describePolls } from '../polls/polls.ts';
import { selectMarks } from './mark-store.ts';
import type { StoredPost } from './stored-post.ts';

/**
 * What posts have besides their rows: how the caller votes for them, whether they saved them, how many comments were written
 * since they were there, and polls.
 */
export async function describeMarks(
  ctx: Pick<Context, 'database' | 'clock'>,
  actor: Actor,
  posts: readonly StoredPost[],
): Promise<(post: StoredPost) => Partial<Post> | undefined> {
  const ids = posts.map(({ id }) => id);
  const userId = actor.kind === 'account' ? actor.user_id : undefined;
  const marks = await selectMarks(ctx.database.reader, userId, ids);
  const withPoll = ids.filter((id) => marks.get(id)?.hasPoll === true);
  const polls = await describePolls(ctx, actor, withPoll);
  return ({ id, commentNumber }) => {
    const own = marks.get(id);
    if (own === undefined) return undefined;
    const { isSaved, seenNumber, vote } = own;
    const poll = polls.get(id);
    return {
      ...(isSaved === true && { saved: true as const }),
      ...(seenNumber !== undefined && { new_comments: Math.max(0, commentNumber - seenNumber) }),
      ...(vote !== undefined && { my_vote: vote }),
      ...(poll !== undefined && { poll }),
    };
  };
}
