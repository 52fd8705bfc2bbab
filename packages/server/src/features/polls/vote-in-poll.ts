import {
  ConflictError,
  NotFoundError,
  ValidationError,
  type Id,
  type Poll,
  type PollVote,
} from '@hearth/protocol';
import type { User } from '../../actor.ts';
import type { EmittingTransaction } from '../../ports/outbox/outbox.ts';
import type { CommunityContext } from '../communities/community-context.ts';
import { requireAdmission } from '../moderation/require-admission.ts';
import {
  accessToVoted,
  holdOpenPost,
  requireOpen,
  requireVoter,
  requireVoting,
} from '../votes/voting-access.ts';
import { describePoll } from './describe-polls.ts';
import {
  deleteChoice,
  lockPoll,
  selectChoices,
  updatePoll,
  upsertChoice,
  type StoredPoll,
} from './store.ts';

/**
 * Chooses options in the poll of a post, instead of those that the caller chose before; none takes the vote back. Throws
 * NotFoundError if the post has no poll, ForbiddenError, ValidationError for `option_ids`, and ConflictError after the end.
 */
export async function voteInPoll(
  ctx: CommunityContext,
  actor: User,
  { id, option_ids: given }: PollVote & { readonly id: Id },
): Promise<Poll> {
  await requireAdmission(ctx, actor, 'changing');
  const { access, voted } = await accessToVoted(ctx, actor, { kind: 'post', id });
  const requires = requireVoting(ctx);
  requires(access);
  requireOpen(voted);
  const options = [...new Set(given)];
  return await ctx.database.transaction(async (tx) => {
    await requireVoter(tx, ctx, { actor, access, requires });
    await holdOpenPost(tx, { id, userId: actor.user_id });
    const poll = await lockPoll(tx.sql, id);
    if (poll === undefined) throw new NotFoundError();
    const nowMs = ctx.clock.unixMs();
    requireChoice(poll, options, nowMs);
    const after = await choose(tx, poll, { userId: actor.user_id, options, nowMs });
    return describePoll(after, { chosen: options.length > 0 ? options : undefined, nowMs });
  });
}

/** Takes back what somebody chose in a poll. */
export async function takeBackChoice(
  tx: EmittingTransaction,
  { userId, postId }: { readonly userId: Id; readonly postId: Id },
): Promise<void> {
  const poll = await lockPoll(tx.sql, postId);
  if (poll === undefined) await deleteChoice(tx.sql, userId, postId);
  else await choose(tx, poll, { userId, options: [], nowMs: 0 });
}

function requireChoice(
  { endsAtMs, isMultiple, options }: StoredPoll,
  chosen: readonly Id[],
  nowMs: number,
): void {
  if (nowMs >= endsAtMs) {
    const error = 'The poll has ended';
    throw new ConflictError({ code: 'poll_ended', field_name: 'option_ids', error });
  }
  if (chosen.length > 1 && !isMultiple) {
    throw new ValidationError('option_ids', 'must be at most one');
  }
  const known = new Set(options.map(({ id }) => id));
  if (chosen.every((id) => known.has(id))) return;
  throw new ValidationError('option_ids', 'must be the ids of options of the poll');
}

/** Stores a choice in a poll that is locked, and counts it. Returns the poll as it is then. */
async function choose(
  { sql }: EmittingTransaction,
  poll: StoredPoll,
  {
    userId,
    options: chosen,
    nowMs,
  }: { readonly userId: Id; readonly options: readonly Id[]; readonly nowMs: number },
): Promise<StoredPoll> {
  const { postId, channelId } = poll;
  const before = (await selectChoices(sql, userId, [postId])).get(postId) ?? [];
  if (chosen.length === 0) await deleteChoice(sql, userId, postId);
  else await upsertChoice(sql, userId, { postId, channelId, options: chosen, votedAtMs: nowMs });
  const options = poll.options.map((option) => {
    const { id, votes } = option;
    const difference = Number(chosen.includes(id)) - Number(before.includes(id));
    return { ...option, votes: votes + difference };
  });
  const voters = poll.voters + Number(chosen.length > 0) - Number(before.length > 0);
  const after = { ...poll, options, voters };
  await updatePoll(sql, after);
  return after;
}
