import { NotFoundError, type Id } from '@hearth/protocol';
import type { Account } from '../../../actor.ts';
import { audit } from '../audit/audit.ts';
import {
  deleteBan,
  inCommunity,
  memberKey,
  selectBan,
  type AccessContext,
} from '../structure/structure.ts';

interface Lifting {
  readonly community_id: Id;
  readonly user_id: Id;
  /** For the audit log. */
  readonly reason?: string | undefined;
}

/** Ends a ban. Throws NotFoundError if there is none, and ForbiddenError without BAN. */
export async function liftBan(
  ctx: AccessContext,
  actor: Account,
  { community_id: communityId, user_id: userId, reason }: Lifting,
): Promise<Record<never, never>> {
  const nowMs = ctx.clock.unixMs();
  const changing = { actor, id: communityId, needs: 'BAN' } as const;
  return await inCommunity(ctx, changing, async (tx, access) => {
    const ban = await selectBan(tx.sql, { communityId, userId, nowMs });
    if (ban === undefined) throw new NotFoundError();
    await deleteBan(tx.sql, { communityId, userId });
    tx.changed('members', memberKey(communityId, userId));
    const target = { kind: 'user', id: userId } as const;
    await audit(tx, access.entry, { action: 'ban_delete', target, reason });
    return {};
  });
}
