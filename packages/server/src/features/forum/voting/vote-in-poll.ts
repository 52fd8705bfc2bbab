import type { Id, Poll, PollVote } from '@hearth/protocol';
import type { Account } from '../../../actor.ts';
import type { AccessContext } from '../../communities/structure/structure.ts';
import { requireAdmission } from '../../accounts/moderation/moderation.ts';
import { requireOpen } from '../posts/posts.ts';
import { accessToVoted, requireVoting } from './voting-access.ts';
import { describePoll } from '../polls/polls.ts';
import { writeChoices } from './write-choices.ts';

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
