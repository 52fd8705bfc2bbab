import { ForbiddenError, NotFoundError, type Id, type Poll, type PollVote } from '@hearth/protocol';
import type { Account } from '../../../actor.ts';
import {
  holdAccesses,
  type AccessContext,
  type Acting,
} from '../../communities/structure/structure.ts';
import { requireAdmission } from '../../accounts/moderation/moderation.ts';
import { requireOpen, votedPosts } from '../posts/posts.ts';
import { describePoll, choose, type Choice, type StoredPoll } from '../polls/polls.ts';
import type { Context } from '../../../context.ts';
import type { EmittingTransaction } from '../../../ports/outbox/outbox.ts';
import { accessToVoted, requireVoting } from './voting-access.ts';

export interface ChoiceWrite extends Pick<Choice, 'postId' | 'options'> {
  readonly ctx: Pick<Context, 'clock'>;
  readonly acting: Acting;
}

/**
 * Writes choices in the polls of any posts in one transaction, as if they came one after another in the order of the list. Returns
 * the poll right after each. What drops out is refused with UnauthorizedError, NotFoundError, ForbiddenError, ValidationError for
 * `option_ids`, or ConflictError after the end.
 */
export async function writeChoices(
  tx: EmittingTransaction,
  writes: readonly ChoiceWrite[],
): Promise<readonly StoredPoll[]> {
  const [first] = writes;
  if (first === undefined) return [];
  const { ctx } = first;
  const nowMs = ctx.clock.unixMs();
  const all = writes.map(({ acting }) => acting);
  const { held } = await holdAccesses(tx, ctx, { all, locks: 'everyone' });
  const postIds = [...new Set(writes.map(({ postId }) => postId))];
  const locked = await votedPosts.lock(tx, postIds);
  const posts = new Map(locked.map((post) => [post.id, post]));
  const choices = writes.map(({ acting, postId, options }) => {
    return { userId: acting.actor.user_id, postId, options };
  });
  return await choose(tx, choices, {
    nowMs,
    refusalOf({ postId }, at) {
      const own = held[at];
      if (own !== undefined && 'error' in own) return own.error;
      const post = posts.get(postId);
      if (post === undefined) return new NotFoundError();
      return post.isLocked ? new ForbiddenError({ code: 'post_locked' }) : undefined;
    },
  });
}

/**
 * Chooses options in the poll of a post, instead of those that the caller chose before; none takes the vote back. Throws
 * NotFoundError if the post has no poll, ForbiddenError, ValidationError for `option_ids`, and ConflictError after the end.
 */
export async function voteInPoll(
  ctx: AccessContext,
  actor: Account,
  { id, option_ids: given }: PollVote & { readonly id: Id },
): Promise<Poll> {
  await requireAdmission(ctx, actor, 'changing');
  const { access, voted } = await accessToVoted(ctx, actor, { kind: 'post', id });
  const requires = requireVoting(ctx);
  requires(access);
  requireOpen(voted);
  const options = [...new Set(given)];
  const { user_id: caller } = actor;
  const after = await ctx.database.write(
    writeChoices,
    { ctx, acting: { actor, access, requires }, postId: id, options },
    { subjects: [id, caller], caller },
  );
  const chosen = options.length > 0 ? options : undefined;
  return describePoll(after, { chosen, nowMs: ctx.clock.unixMs() });
}
