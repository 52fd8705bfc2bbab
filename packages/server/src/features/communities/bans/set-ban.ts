import { NotFoundError, ValidationError, type Ban, type BanInput, type Id } from '@hearth/protocol';
import type { Account } from '../../../actor.ts';
import { findUser, holdUser, type KeepsUsers } from '../../accounts/users/users.ts';
import { audit, changesOf } from '../audit/audit.ts';
import {
  holdWriting,
  inCommunity,
  memberKey,
  selectMember,
  selectBan,
  upsertBan,
  deleteBan,
  type AccessContext,
} from '../structure/structure.ts';
import { dropRequest } from '../join-requests/join-requests.ts';
import { endMembership, type HasMembershipEnders } from '../members/members.ts';
import { requireAboveMember } from '../roles/roles.ts';
import { describeBan, peopleOf } from './list-bans.ts';
import { addRemoval } from './remove-recent.ts';

/** The least time that a ban lasts, in milliseconds. */
const SHORTEST_MS = 1_000;

/**
 * Bans somebody from a community, whether they are a member or not, or changes the ban; nothing if it is the same. Throws
 * NotFoundError if there is no such person, ForbiddenError if the caller may not do this to them, and ValidationError for an end
 * that is past.
 */
export async function setBan(
  ctx: AccessContext & HasMembershipEnders & KeepsUsers,
  actor: Account,
  {
    community_id: communityId,
    user_id: userId,
    ...input
  }: BanInput & { readonly community_id: Id; readonly user_id: Id },
): Promise<Ban> {
  const nowMs = ctx.clock.unixMs();
  const { reason = '', expires_at: expiresAtMs = 0, delete_seconds: seconds = 0 } = input;
  if (input.expires_at !== undefined && expiresAtMs < nowMs + SHORTEST_MS) {
    throw new ValidationError('expires_at', 'must be at least a second ahead');
  }
  const { deleted } = await findUser(ctx, actor, { id: userId });
  const users = await ctx.users.all([userId, actor.user_id]);
  const changing = { actor, id: communityId, needs: 'BAN' } as const;
  return await inCommunity(ctx, changing, async (tx, access) => {
    if (deleted === true) throw new NotFoundError();
    const member = await selectMember(tx.sql, communityId, userId);
    if (member !== undefined) requireAboveMember(access, member);
    const before = await selectBan(tx.sql, { communityId, userId, nowMs });
    const isSame = before?.reason === reason && before.expires_at_ms === expiresAtMs;
    if (isSame && seconds === 0) {
      return describeBan(before, await ctx.users.all(peopleOf(before)));
    }
    if (member !== undefined) await holdWriting(tx, communityId);
    // Who is no member has no other row that a vote of theirs would hold.
    else await holdUser(tx, userId);
    const ban = {
      community_id: communityId,
      user_id: userId,
      reason,
      created_by: actor.user_id,
      created_at_ms: before?.created_at_ms ?? nowMs,
      expires_at_ms: expiresAtMs,
    };
    await upsertBan(tx.sql, ban);
    tx.changed('members', memberKey(communityId, userId));
    await audit(tx, access.entry, {
      action: 'ban_create',
      target: { kind: 'user', id: userId },
      reason,
      changes: changesOf({ expires_at: before?.expires_at_ms }, { expires_at: input.expires_at }),
    });
    await dropRequest(tx, { communityId, userId });
    if (member !== undefined) {
      await endMembership(tx, ctx, { community: access.community, member, reason: 'banned' });
    }
    if (seconds > 0) {
      await addRemoval(tx, { communityId, userId, sinceMs: nowMs - seconds * 1_000, nowMs });
    }
    return describeBan(ban, users);
  });
}

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
