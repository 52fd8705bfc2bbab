import type { ExportPart } from '../../accounts/exports/exports.ts';
import { selectInvitesOf } from './store.ts';

/** The invites to communities that a person has made. */
export const exportInvites: ExportPart = async ({ database, clock }, userId) => {
  const invites = await selectInvitesOf(database.reader, userId);
  if (invites.length === 0) return [];
  const described = invites.map((invite) => ({
    code: invite.code,
    community_id: invite.communityId,
    ...(invite.channelId !== '' && { channel_id: invite.channelId }),
    created_at: invite.createdAtMs,
    uses: invite.uses,
    registrations: invite.registrations,
    ...(invite.maxUses > 0 && { max_uses: invite.maxUses }),
    ...(invite.expiresAtMs > 0 && { expires_at: invite.expiresAtMs }),
    role_ids: invite.roleIds,
  }));
  const text = JSON.stringify(described, null, 2);
  const modifiedAtMs = clock.unixMs();
  return [{ name: 'community-invites.json', modifiedAtMs, read: async () => text }];
};
