import { ForbiddenError, NotFoundError, UnauthorizedError, type Id } from '@hearth/protocol';
import type { Actor, User } from '../../actor.ts';
import type { EmittingTransaction } from '../../ports/outbox/outbox.ts';
import { accessToChannel, requireIn, type ChannelAccess } from '../communities/access.ts';
import type { CommunityContext } from '../communities/community-context.ts';
import type { Requirement } from '../messages/message-access.ts';
import { accessNow } from '../messages/turn.ts';
import { holdActiveUser } from '../users/hold-active-user.ts';
import { holdRules } from '../communities/hold-rules.ts';
import { holdVoter } from './store.ts';
import { lockVoted, selectVoted } from './voted-store.ts';
import type { Voted, VotedPlace } from './voted.ts';

/** Something that somebody may see, and what they may do where it is. */
export interface VotedAccess {
  readonly access: ChannelAccess;
  readonly voted: Voted;
}

/** A post or comment that somebody may see. Throws NotFoundError, after the same queries whether it is hidden or missing. */
export async function accessToVoted(
  ctx: CommunityContext,
  actor: Actor,
  place: VotedPlace,
): Promise<VotedAccess> {
  const voted = await selectVoted(ctx.database.reader, place);
  // What does not exist is in a channel that does not.
  const access = await accessToChannel(ctx, actor, voted?.channelId ?? place.id);
  if (voted === undefined || voted.isDeleted) throw new NotFoundError();
  return { access, voted };
}

/** Requires the right to vote: that of members, or of everybody with an account if the community lets them discuss. */
export function requireVoting({ clock }: Pick<CommunityContext, 'clock'>): Requirement {
  return (access) => {
    const { member, viewer, community } = access;
    if (community.stored.deletedAtMs > 0) throw new NotFoundError();
    const mayDiscuss = viewer.kind === 'account' && viewer.may_discuss;
    if (member === undefined && !mayDiscuss) throw new ForbiddenError({ code: 'not_member' });
    requireIn(access, 'VOTE', clock.unixMs());
  };
}

/** Throws ForbiddenError for a post that is locked, and for comments on it. */
export function requireOpen({ isLocked }: Pick<Voted, 'isLocked'>): void {
  if (isLocked) throw new ForbiddenError({ code: 'post_locked' });
}

/** Keeps the post of a poll as it is until the transaction ends. Throws NotFoundError, and ForbiddenError if it is locked. */
export async function holdOpenPost(
  tx: EmittingTransaction,
  { id, userId }: Record<'id' | 'userId', Id>,
): Promise<void> {
  const locked = await lockVoted(tx, { kind: 'post', id }, userId);
  if (locked === undefined) throw new NotFoundError();
  requireOpen(locked.voted);
}

/** Somebody who votes, and what they may do there. */
export interface Voter {
  readonly access: ChannelAccess;
  /** When the account was made. */
  readonly createdAtMs: number;
}

/**
 * Who votes, and what they may do there, as the transaction finds it and as it stays until the commit. Throws UnauthorizedError
 * after the end of the account, NotFoundError, and what `requires` throws.
 */
export async function requireVoter(
  tx: EmittingTransaction,
  ctx: CommunityContext,
  {
    actor,
    access,
    requires,
  }: { readonly actor: User; readonly access: ChannelAccess; readonly requires: Requirement },
): Promise<Voter> {
  const { community, member } = access;
  const { id: communityId, structureVersion } = community.stored;
  const userId = actor.user_id;
  await holdRules(tx, communityId);
  const held = await holdVoter(tx, userId, communityId);
  const isSame =
    held !== undefined &&
    held.memberVersion === member?.version &&
    held.structureVersion === structureVersion;
  if (isSame) return { access, createdAtMs: held.createdAtMs };
  const user = held ?? (await holdActiveUser(tx, userId));
  if (user === undefined) throw new UnauthorizedError('token_ended');
  const now = await accessNow(tx, ctx, { actor, access, requires });
  return { access: now, createdAtMs: user.createdAtMs };
}
