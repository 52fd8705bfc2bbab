import type { ExportPart } from '../../accounts/exports/exports.ts';
import { selectInvitesOf } from './store.ts';

/** The invites to communities that a person has made. */
export const exportInvites: ExportPart = async ({ database, clock }, userId) => {
  const invites = await selectInvitesOf(database.reader, userId);
  if (invites.length === 0) return [];
  const described = invites.map((invite) => ({
    code: invite.code,
    community_id: invite.community_id,
    ...(invite.channel_id !== '' && { channel_id: invite.channel_id }),
    created_at: invite.created_at_ms,
    uses: invite.uses,
    registrations: invite.registrations,
    ...(invite.max_uses > 0 && { max_uses: invite.max_uses }),
    ...(invite.expires_at_ms > 0 && { expires_at: invite.expires_at_ms }),
    role_ids: invite.role_ids,
  }));
  const text = JSON.stringify(described, null, 2);
  const modifiedAtMs = clock.unixMs();
  return [{ name: 'community-invites.json', modifiedAtMs, read: async () => text }];
};
