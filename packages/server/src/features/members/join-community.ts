import { ForbiddenError, NotFoundError, type Id, type OwnCommunity } from '@hearth/protocol';
import type { User } from '../../actor.ts';
import { requireNoBan } from '../bans/require-no-ban.ts';
import { accessTo } from '../communities/access.ts';
import type { CommunityContext } from '../communities/community-context.ts';
import { findOwnCommunity } from '../communities/find-own-community.ts';
import { lockCommunity } from '../communities/lock-community.ts';
import { requireEntry } from '../moderation/require-entry.ts';
import { enter } from './enter.ts';

/**
 * Makes the caller a member of a community that everybody may join; a member already is answered the same. Throws
 * NotFoundError if the caller may not know that it exists, ForbiddenError if it cannot be joined like this or if they are
 * banned, and ConflictError for one community too many.
 */
export async function joinCommunity(
  ctx: CommunityContext,
  actor: User,
  { community_id: id }: { readonly community_id: Id },
): Promise<OwnCommunity> {
  await requireEntry(ctx, actor);
  const { member } = await accessTo(ctx, actor, id);
  if (member !== undefined) return await findOwnCommunity(ctx.database.reader, ctx, { actor, id });
  const { user_id: userId } = actor;
  const nowMs = ctx.clock.unixMs();
  return await ctx.database.transaction(async (tx) => {
    const community = await lockCommunity(tx, id);
    if (community === undefined || community.visibility === 'private') throw new NotFoundError();
    await requireNoBan(tx.sql, { communityId: id, userId, nowMs });
    if (community.join !== 'open') throw new ForbiddenError({ code: 'join_closed' });
    return await enter(tx, ctx, { communityId: id, userId });
  });
}
