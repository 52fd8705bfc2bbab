import { ConflictError, NotFoundError, type Id } from '@hearth/protocol';
import type { Account } from '../../../actor.ts';
import {
  accessTo,
  lockCommunity,
  readCommunity,
  selectMember,
  type AccessContext,
} from '../structure/structure.ts';
import { endMembership, type HasMembershipEnders } from './end-membership.ts';

/**
 * Ends the caller's membership. Throws NotFoundError if they are not a member, and ConflictError if they are the owner, who
 * has to hand the community over first.
 */
export async function leaveCommunity(
  ctx: AccessContext & HasMembershipEnders,
  actor: Account,
  { community_id: id }: { readonly community_id: Id },
): Promise<Record<never, never>> {
  await accessTo(ctx, actor, id);
  const writing = { subjects: [id, actor.user_id], caller: actor.user_id } as const;
  await ctx.database.writeAlone(writing, async (tx) => {
    const isThere = (await lockCommunity(tx, id)) !== undefined;
    const community = isThere ? await readCommunity(tx.sql, id) : undefined;
    const member = await selectMember(tx.sql, id, actor.user_id);
    if (community === undefined || member === undefined) throw new NotFoundError();
    if (community.stored.ownerId === actor.user_id) {
      throw new ConflictError({ code: 'wrong_state', field_name: 'owner_id' });
    }
    await endMembership(tx, ctx, { community, member, reason: 'left' });
  });
  return {};
}
