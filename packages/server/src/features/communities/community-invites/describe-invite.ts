import { channelSightOf, type CommunityInvite, type Id, type UserSummary } from '@hearth/protocol';
import type { Access } from '../structure/structure.ts';
import type { StoredInvite } from './store.ts';

/** An invite as somebody sees it: only with a channel that they see, and with roles that there still are. */
export function describeInvite(
  invite: StoredInvite,
  access: Pick<Access, 'viewer' | 'community'>,
  users: ReadonlyMap<Id, UserSummary>,
): CommunityInvite {
  const { channelId, createdBy, maxUses, expiresAtMs } = invite;
  const by = createdBy === '' ? undefined : users.get(createdBy);
  const roleIds = invite.roleIds.filter((id) => access.community.roleById.has(id));
  return {
    code: invite.code,
    community_id: invite.communityId,
    ...(channelId !== '' && seesChannel(access, channelId) && { channel_id: channelId }),
    ...(by !== undefined && { created_by: by }),
    created_at: invite.createdAtMs,
    uses: invite.uses,
    ...(maxUses > 0 && { max_uses: maxUses }),
    ...(expiresAtMs > 0 && { expires_at: expiresAtMs }),
    ...(roleIds.length > 0 && { role_ids: roleIds }),
  };
}

/** Whether somebody sees a channel of a community that holds something. */
export function seesChannel(
  { viewer, community }: Pick<Access, 'viewer' | 'community'>,
  id: Id,
): boolean {
  const channel = community.channelById.get(id);
  if (channel === undefined || channel.kind === 'category') return false;
  return channelSightOf(viewer, community, channel.levels).reads;
}
