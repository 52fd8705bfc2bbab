import { NotFoundError, type Id, type Member } from '@hearth/protocol';
import type { Account } from '../../../actor.ts';
import { audit } from '../audit/audit.ts';
import { inCommunity, selectMember, type AccessContext } from '../structure/structure.ts';
import { describeMember, enter, type HasMembershipBeginners } from '../members/members.ts';
import { holdActiveUser, type KeepsUsers } from '../../accounts/users/users.ts';
import { dropRequest } from './drop-request.ts';
import { requireAnswering } from './list-requests.ts';
import { selectRequest } from './store.ts';

interface Answer {
  readonly community_id: Id;
  readonly user_id: Id;
  /** For the audit log. */
  readonly reason?: string | undefined;
}

/**
 * Makes somebody a member who asked; if they are one already, that is returned again. Throws NotFoundError if they do not
 * ask, ForbiddenError without KICK or MANAGE_INVITES, and ConflictError if they are in as many communities as possible.
 */
export async function acceptRequest(
  ctx: AccessContext & HasMembershipBeginners & KeepsUsers,
  actor: Account,
  { community_id: communityId, user_id: userId }: Answer,
): Promise<Member> {
  const user = (await ctx.users.all([userId])).get(userId);
  const nowMs = ctx.clock.unixMs();
  return await inCommunity(ctx, { actor, id: communityId }, async (tx, access) => {
    requireAnswering(access, nowMs);
    const key = { communityId, userId };
    const request = await selectRequest(tx.sql, key);
    if (request !== undefined) {
      if ((await holdActiveUser(tx, userId)) === undefined) throw new NotFoundError();
      const target = { kind: 'user', id: userId } as const;
      await audit(tx, access.entry, { action: 'join_accept', target });
      await enter(tx, ctx, key);
    }
    const member = await selectMember(tx.sql, communityId, userId);
    if (member === undefined || user === undefined) throw new NotFoundError();
    return describeMember(member, user, nowMs);
  });
}

/** Refuses a request, so that it is gone. Throws NotFoundError if there is none, and ForbiddenError as {@link acceptRequest} does. */
export async function refuseRequest(
  ctx: AccessContext,
  actor: Account,
  { community_id: communityId, user_id: userId, reason }: Answer,
): Promise<Record<never, never>> {
  const nowMs = ctx.clock.unixMs();
  return await inCommunity(ctx, { actor, id: communityId }, async (tx, access) => {
    requireAnswering(access, nowMs);
    if (!(await dropRequest(tx, { communityId, userId }))) throw new NotFoundError();
    const target = { kind: 'user', id: userId } as const;
    await audit(tx, access.entry, { action: 'join_refuse', target, reason });
    return {};
  });
}
