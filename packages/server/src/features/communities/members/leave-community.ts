import { ConflictError, NotFoundError, type Id } from '@hearth/protocol';
import type { Account } from '../../../actor.ts';
import {
  accessTo,
  lockCommunity,
  readCommunity,
  selectMember,
  holdWriting,
  inCommunity,
  type AccessContext,
} from '../structure/structure.ts';
import { audit } from '../audit/audit.ts';
import { requireAboveMember } from '../roles/roles.ts';
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

interface Removal {
  readonly community_id: Id;
  readonly user_id: Id;
  /** For the audit log. */
  readonly reason?: string | undefined;
}

/**
 * Removes a member, who may join again. Throws NotFoundError if there is no such member, and ForbiddenError if the caller may
 * not do this to them.
 */
export async function removeMember(
  ctx: AccessContext & HasMembershipEnders,
  actor: Account,
  { community_id: id, user_id: userId, reason }: Removal,
): Promise<Record<never, never>> {
  return await inCommunity(ctx, { actor, id, needs: 'KICK' }, async (tx, access) => {
    const member = await selectMember(tx.sql, id, userId);
    if (member === undefined) throw new NotFoundError();
    requireAboveMember(access, member);
    await holdWriting(tx, id);
    const target = { kind: 'user', id: userId } as const;
    await audit(tx, access.entry, { action: 'member_kick', target, reason });
    await endMembership(tx, ctx, { community: access.community, member, reason: 'kicked' });
    return {};
  });
}
