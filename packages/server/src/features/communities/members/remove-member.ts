import { NotFoundError, type Id } from '@hearth/protocol';
import type { Account } from '../../../actor.ts';
import { audit } from '../audit/audit.ts';
import {
  holdWriting,
  inCommunity,
  selectMember,
  type AccessContext,
} from '../structure/structure.ts';
import { requireAboveMember } from '../roles/roles.ts';
import { endMembership, type HasMembershipEnders } from './end-membership.ts';

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
