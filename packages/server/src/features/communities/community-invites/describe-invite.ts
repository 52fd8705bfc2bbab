import { channelSightOf, type CommunityInvite, type Id, type UserSummary } from '@hearth/protocol';
import type { Access } from '../structure/structure.ts';
import type { StoredInvite } from './store.ts';

/** An invite as somebody sees it: only with a channel that they see, and with roles that there still are. */
export function describeInvite(
  invite: StoredInvite,
  access: Pick<Access, 'viewer' | 'community'>,
  users: ReadonlyMap<Id, UserSummary>,
): CommunityInvite {
  const { code, community_id, channel_id, created_by: createdBy, uses, max_uses } = invite;
  const by = createdBy === '' ? undefined : users.get(createdBy);
  const role_ids = invite.role_ids.filter((id) => access.community.roleById.has(id));
  return {
    code,
    community_id,
    ...(channel_id !== '' && seesChannel(access, channel_id) && { channel_id }),
    ...(by !== undefined && { created_by: by }),
    created_at: invite.created_at_ms,
    uses,
    ...(max_uses > 0 && { max_uses }),
    ...(invite.expires_at_ms > 0 && { expires_at: invite.expires_at_ms }),
    ...(role_ids.length > 0 && { role_ids }),
  };
}

/** Returns whether somebody sees a channel of a community that holds something. */
export function seesChannel(
  { viewer, community }: Pick<Access, 'viewer' | 'community'>,
  id: Id,
): boolean {
  const channel = community.channelById.get(id);
  if (channel === undefined || channel.kind === 'category') return false;
  return channelSightOf(viewer, community, channel.levels).reads;
}
