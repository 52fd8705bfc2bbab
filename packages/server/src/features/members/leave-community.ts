import { ConflictError, NotFoundError, type Id } from '@hearth/protocol';
import type { User } from '../../actor.ts';
import { accessTo } from '../communities/access.ts';
import type { CommunityContext } from '../communities/community-context.ts';
import { lockCommunity } from '../communities/lock-community.ts';
import { endMembership } from './end-membership.ts';

/**
 * Ends the caller's membership. Throws NotFoundError if they are not a member, and ConflictError if they are the owner, who
 * has to hand the community over first.
 */
export async function leaveCommunity(
  ctx: CommunityContext,
  actor: User,
  { community_id: id }: { readonly community_id: Id },
): Promise<Record<never, never>> {
  await accessTo(ctx, actor, id);
  await ctx.database.transaction(async (tx) => {
    const community = await lockCommunity(tx, id);
    if (community === undefined) throw new NotFoundError();
    if (community.ownerId === actor.user_id) {
      const error = 'must be handed over before you leave';
      throw new ConflictError({ code: 'wrong_state', field_name: 'community', error });
    }
    await endMembership(tx, { communityId: id, userId: actor.user_id, reason: 'left' });
  });
  return {};
}
