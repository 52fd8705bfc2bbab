import {
  ForbiddenError,
  NotFoundError,
  type Id,
  type VoteInput,
  type Voted as VoteAnswer,
} from '@hearth/protocol';
import type { User } from '../../actor.ts';
import type { EmittingTransaction } from '../../ports/outbox/outbox.ts';
import type { ChannelAccess } from '../communities/access.ts';
import type { CommunityContext } from '../communities/community-context.ts';
import { requireAdmission } from '../moderation/require-admission.ts';
import { addPoints } from '../points/add-points.ts';
import { describeTotals } from '../posts/hidden-scores.ts';
import { pointsOfVote } from './points-of-vote.ts';
import { deleteVote, upsertVote } from './store.ts';
import { lockVoted, updateVotes } from './voted-store.ts';
import type { Voted, VotedPlace, Votes } from './voted.ts';
import { accessToVoted, requireOpen, requireVoter, requireVoting } from './voting-access.ts';

/** A post or comment, and how somebody votes for it. */
export interface CastInput extends VoteInput {
  readonly id: Id;
}

/**
 * Votes for a post, changes the vote, or takes it back with 0; harmless if repeated. Resolves with the totals, and with the vote
 * if there is one. Throws NotFoundError, and ForbiddenError if the caller may not vote, or not so.
 */
export function votePost(
  ctx: CommunityContext,
  actor: User,
  input: CastInput,
): Promise<VoteAnswer> {
  return castVote(ctx, actor, { ...input, kind: 'post' });
}

/** The same for a comment. */
export function voteComment(
  ctx: CommunityContext,
  actor: User,
  input: CastInput,
): Promise<VoteAnswer> {
  return castVote(ctx, actor, { ...input, kind: 'comment' });
}

interface Cast {
  readonly actor: User;
  readonly access: ChannelAccess;
  readonly place: VotedPlace;
  readonly value: VoteInput['value'];
}

async function castVote(
  ctx: CommunityContext,
  actor: User,
  { value, ...place }: CastInput & VotedPlace,
): Promise<VoteAnswer> {
  await requireAdmission(ctx, actor, 'changing');
  const { access } = await accessToVoted(ctx, actor, place);
  requireVoting(ctx)(access);
  const cast = { actor, access, place, value };
  const after = await ctx.database.transaction((tx) => count(tx, ctx, cast));
  const { channel } = after.access;
  const seen = { settings: channel.postSettings, nowMs: ctx.clock.unixMs() };
  const totals = describeTotals(after, after.voted.createdAtMs, seen);
  if (after.isChanged && totals.score !== undefined) {
    ctx.scores.note(ctx, { channel, voted: after.voted, votes: after });
  }
  return { ...totals, ...(value !== 0 && { my_vote: value }) };
}

interface Counted extends Votes {
  readonly access: ChannelAccess;
  readonly voted: Voted;
  readonly isChanged: boolean;
}

/** Counts a vote. The voter is locked first, then what they vote for, so that each vote finds what the one before has changed. */
async function count(
  tx: EmittingTransaction,
  ctx: CommunityContext,
  { actor, access: known, place, value }: Cast,
): Promise<Counted> {
  const requires = requireVoting(ctx);
  const { access, createdAtMs } = await requireVoter(tx, ctx, { actor, access: known, requires });
  const locked = await lockVoted(tx, place, actor.user_id);
  if (locked === undefined || locked.voted.isDeleted) throw new NotFoundError();
  const { voted, vote: before } = locked;
  requireOpen(voted);
  requireDownvotes(access, value);
  if ((before?.value ?? 0) === value) return { access, voted, ...votesOf(voted), isChanged: false };
  const nowMs = ctx.clock.unixMs();
  const by = { userId: actor.user_id, createdAtMs };
  const points = value === 1 ? await pointsOfVote(tx, { by, voted, nowMs }) : 0;
  if (value === 0) await deleteVote(tx, voted.id, by.userId);
  else await upsertVote(tx, voted, { userId: by.userId, value, points, nowMs });
  const votes = withVote(votesOf(voted), { from: before?.value ?? 0, to: value });
  await updateVotes(tx, voted, votes);
  const { communityId, authorId } = voted;
  const given = points - (before?.points ?? 0);
  await addPoints(tx, { communityId, userId: authorId, points: given });
  return { access, voted, ...votes, isChanged: true };
}

function requireDownvotes({ channel }: ChannelAccess, value: VoteInput['value']): void {
  if (value === -1 && channel.postSettings.downvotes === false) {
    throw new ForbiddenError({ code: 'downvotes_off' });
  }
}

function votesOf({ upvotes, downvotes }: Votes): Votes {
  return { upvotes, downvotes };
}

/** Totals after a vote was changed; 0 is none. */
export function withVote(
  { upvotes, downvotes }: Votes,
  { from, to }: Readonly<Record<'from' | 'to', VoteInput['value']>>,
): Votes {
  return {
    upvotes: upvotes + Number(to === 1) - Number(from === 1),
    downvotes: downvotes + Number(to === -1) - Number(from === -1),
  };
}
