import { ForbiddenError, NotFoundError } from '@hearth/protocol';
import type { Actor, User } from '../../actor.ts';
import type { EmittingTransaction } from '../../ports/outbox/outbox.ts';
import { accessToChannel, requireIn, type ChannelAccess } from '../communities/access.ts';
import type { CommunityContext } from '../communities/community-context.ts';
import type { Requirement } from '../messages/message-access.ts';
import { accessNow } from '../messages/turn.ts';
import { holdMember } from './store.ts';
import { selectVoted } from './voted-store.ts';
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

/**
 * What somebody may do where they vote, as the transaction finds it: nobody ends or changes their membership until it is
 * committed. Throws NotFoundError, and what `requires` throws.
 */
export async function heldAccess(
  tx: EmittingTransaction,
  ctx: CommunityContext,
  {
    actor,
    access,
    requires,
  }: { readonly actor: User; readonly access: ChannelAccess; readonly requires: Requirement },
): Promise<ChannelAccess> {
  const { channel, member } = access;
  const { id: channelId, communityId } = channel;
  const held = await holdMember(tx.sql, { communityId, userId: actor.user_id, channelId });
  const isSame =
    held !== undefined &&
    held.version === member?.version &&
    held.channelVersion === channel.version;
  return isSame ? access : await accessNow(tx, ctx, { actor, access, requires });
}
