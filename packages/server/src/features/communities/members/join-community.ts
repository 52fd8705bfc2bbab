import type { Id, OwnCommunity } from '@hearth/protocol';
import type { Account } from '../../../actor.ts';
import { accessTo, type AccessContext } from '../structure/structure.ts';
import { findOwnCommunity } from './find-own-community.ts';
import type { KeepsOpenToJoin } from './open-to-join.ts';
import { requireEntry } from '../../accounts/moderation/moderation.ts';
import type { HasMembershipBeginners } from './enter.ts';
import { joinAll } from './join-all.ts';

/**
 * Makes the caller a member of a community that everybody may join; a member already is answered the same. Throws
 * NotFoundError if the caller may not know that it exists, ForbiddenError if it cannot be joined like this or if they are
 * banned, and ConflictError for one community too many.
 */
export async function joinCommunity(
  ctx: AccessContext & HasMembershipBeginners & KeepsOpenToJoin,
  actor: Account,
  { community_id: id }: { readonly community_id: Id },
): Promise<OwnCommunity> {
  await requireEntry(ctx, actor);
  if (!(await ctx.openToJoin.has(id))) {
    const { member } = await accessTo(ctx, actor, id);
    const { reader } = ctx.database;
    if (member !== undefined) return await findOwnCommunity(reader, ctx, { actor, id });
  }
  const { user_id: userId } = actor;
  const writing = { subjects: [id, userId], caller: userId } as const;
  return await ctx.database.write(joinAll, { ctx, communityId: id, userId }, writing);
}
