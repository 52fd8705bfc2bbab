import { NotFoundError, type Id } from '@hearth/protocol';
import type { Account } from '../../../actor.ts';
import { audit } from '../audit/audit.ts';
import { inCommunity, requireIn, type AccessContext } from '../structure/structure.ts';
import { recordedCode } from './create-community-invite.ts';
import { deleteWaitingWith } from './registrations-store.ts';
import { deleteInvite, selectInvite } from './store.ts';

interface Revocation {
  readonly community_id: Id;
  readonly code: string;
  /** For the audit log. */
  readonly reason?: string | undefined;
}

/**
 * Removes an invite; those who joined with it stay, and those who wait for approval do not join. Throws NotFoundError if the community has no such invite, and
 * ForbiddenError for one of somebody else without MANAGE_INVITES.
 */
export async function revokeCommunityInvite(
  ctx: AccessContext,
  actor: Account,
  { community_id: communityId, code, reason }: Revocation,
): Promise<Record<never, never>> {
  return await inCommunity(ctx, { actor, id: communityId }, async (tx, access) => {
    const invite = await selectInvite(tx.sql, code);
    if (invite?.community_id !== communityId) throw new NotFoundError();
    if (invite.created_by !== actor.user_id) {
      requireIn(access, 'MANAGE_INVITES', ctx.clock.unixMs());
    }
    await deleteInvite(tx.sql, code);
    await deleteWaitingWith(tx.sql, code);
    const target = { kind: 'invite', id: recordedCode(code) } as const;
    await audit(tx, access.entry, { action: 'invite_delete', target, reason });
    return {};
  });
}
