import { NotFoundError, type Id } from '@hearth/protocol';
import type { Actor } from '../../../actor.ts';
import type { Context } from '../../../context.ts';
import {
  accessToPlace,
  requireDiscussing,
  type AccessContext,
  type ChannelAccess,
} from '../../communities/structure/structure.ts';
import type { Requirement } from '../../talk/places/places.ts';
import { VOTED_STORES } from './voted-stores.ts';
import type { Voted, VotedPlace } from '../votes/votes.ts';

/** Something that somebody may see, and what they may do where it is. */
export interface VotedAccess {
  readonly access: ChannelAccess;
  readonly voted: Voted;
}

/** A post or comment that somebody may see. Throws NotFoundError, after the same queries whether it is hidden or missing. */
export async function accessToVoted(
  ctx: AccessContext,
  actor: Actor,
  place: VotedPlace,
): Promise<VotedAccess> {
  // First, so that nothing is read of what is hidden.
  const access = await accessToPlace(ctx, actor, place);
  const voted = await VOTED_STORES[place.kind].select(ctx.database.reader, place.id);
  if (voted === undefined || voted.isDeleted) throw new NotFoundError();
  return { access, voted };
}

/** Something that somebody may see, who wrote it, and what they may do where it is. */
export interface AuthoredAccess extends Pick<VotedAccess, 'access'> {
  readonly authorId: Id;
}

/** Finds it if nothing but its author has to be known, who never changes: it may have been deleted since that was read. */
export async function accessToAuthored(
  ctx: AccessContext,
  actor: Actor,
  place: VotedPlace,
): Promise<AuthoredAccess> {
  const known = ctx.channelHomes.peekAuthor(place.id);
  if (known !== undefined) {
    return { access: await accessToPlace(ctx, actor, place), authorId: known };
  }
  const { access, voted } = await accessToVoted(ctx, actor, place);
  ctx.channelHomes.noteAuthor(place.id, voted.authorId);
  return { access, authorId: voted.authorId };
}

/** Requires the right to vote: that of members, or of everybody with an account if the community lets them discuss. */
export function requireVoting({ clock }: Pick<Context, 'clock'>): Requirement<ChannelAccess> {
  return (access) => {
    requireDiscussing(access, 'VOTE', clock.unixMs());
  };
}
