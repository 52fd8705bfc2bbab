import {
  ValidationError,
  type CommunityInvite,
  type Id,
  type NewCommunityInvite,
} from '@hearth/protocol';
import { MOST_COMMUNITY_INVITES } from '@hearth/protocol/schemas';
import { tooMany } from '../../../too-many.ts';
import type { Account } from '../../../actor.ts';
import { newInviteCode } from '../../accounts/registration/registration.ts';
import type { KeepsUsers } from '../../accounts/users/users.ts';
import { audit, type Act } from '../audit/audit.ts';
import { inCommunity, type AccessContext, type MemberAccess } from '../structure/structure.ts';
import { describeInvite, seesChannel } from './describe-invite.ts';
import { requireGivenRoles } from './given-roles.ts';
import { deleteOldest, insertInvite, selectUsable, type StoredInvite } from './store.ts';

/**
 * The number of characters of a code that the audit log shows: a person who reads the log may not be one who may invite
 * others.
 */
const SHOWN_CHARACTERS = 4;

/** The least time that an invite can be used, in milliseconds. */
const SHORTEST_MS = 1_000;

/**
 * Makes an invite to a community. Throws ForbiddenError without CREATE_INVITES, or for a role that the caller may not give,
 * ValidationError for a channel that they do not see, for a role that the community does not have and for an end that is
 * past, and ConflictError for one invite too many.
 */
export async function createCommunityInvite(
  ctx: AccessContext & KeepsUsers,
  actor: Account,
  { community_id: communityId, ...input }: NewCommunityInvite & { readonly community_id: Id },
): Promise<CommunityInvite> {
  const nowMs = ctx.clock.unixMs();
  if (input.expires_at !== undefined && input.expires_at < nowMs + SHORTEST_MS) {
    throw new ValidationError('expires_at', 'must be at least a second ahead');
  }
  const invite: StoredInvite = {
    code: newInviteCode(),
    community_id: communityId,
    channel_id: input.channel_id ?? '',
    created_by: actor.user_id,
    created_at_ms: nowMs,
    uses: 0,
    max_uses: input.max_uses ?? 0,
    used_at_ms: 0,
    expires_at_ms: input.expires_at ?? 0,
    role_ids: input.role_ids ?? [],
    registrations: 0,
  };
  const users = await ctx.users.all([actor.user_id]);
  const changing = { actor, id: communityId, needs: 'CREATE_INVITES' } as const;
  return await inCommunity(ctx, changing, async (tx, access) => {
    if (invite.channel_id !== '' && !seesChannel(access, invite.channel_id)) {
      throw new ValidationError('channel_id', 'must be a channel that you see');
    }
    requireGivenRoles(access, invite.role_ids, nowMs);
    const others = await selectUsable(tx.sql, communityId, { nowMs });
    if (others.length >= MOST_COMMUNITY_INVITES) {
      throw tooMany('invites', MOST_COMMUNITY_INVITES);
    }
    // Those that end soon would be as many as anybody likes until they are swept.
    await deleteOldest(tx.sql, communityId, { nowMs, kept: MOST_COMMUNITY_INVITES });
    await insertInvite(tx.sql, invite);
    await audit(tx, access.entry, creationOf(invite, access));
    return describeInvite(invite, access, users);
  });
}

/** Returns what the audit log says of it. */
function creationOf(invite: StoredInvite, { community }: MemberAccess): Act {
  const { code, channel_id: channelId, max_uses, expires_at_ms: expiresAtMs, role_ids } = invite;
  const channel = channelId === '' ? undefined : community.channelById.get(channelId);
  return {
    action: 'invite_create',
    target: { kind: 'invite', id: recordedCode(code) },
    ...(channel !== undefined && { channel }),
    changes: [
      ...(max_uses > 0 ? [{ field: 'max_uses', after: max_uses }] : []),
      ...(expiresAtMs > 0 ? [{ field: 'expires_at', after: expiresAtMs }] : []),
      ...(role_ids.length > 0 ? [{ field: 'role_ids', after: [...role_ids] }] : []),
    ],
  };
}

/** The beginning of a code, by which an invite is recognised but not used. */
export function recordedCode(code: string): string {
  return `${code.slice(0, SHOWN_CHARACTERS)}…`;
}
