import {
  hasPermission,
  parseId,
  PERMISSIONS,
  type AuditEntry,
  type AuditQuery,
  type Id,
  type UserSummary,
} from '@hearth/protocol';
import type { User } from '../../actor.ts';
import { accessTo, permissionsIn, requireIn, type Access } from '../communities/access.ts';
import type { CommunityContext } from '../communities/community-context.ts';
import { selectEntries, type EntryRange, type StoredEntry } from './store.ts';
import { deletedUser } from '../users/deleted-user.ts';

/**
 * What was done in a community, the newest first, but not what concerns channels that the caller does not see. Throws
 * NotFoundError if they may not know that it exists, and ForbiddenError without VIEW_AUDIT_LOG.
 */
export async function listAuditLog(
  ctx: CommunityContext,
  actor: User,
  { community_id: communityId, user, ...query }: AuditQuery & { readonly community_id: Id },
): Promise<readonly AuditEntry[]> {
  const access = await accessTo(ctx, actor, communityId);
  requireIn(access, 'VIEW_AUDIT_LOG', ctx.clock.unixMs());
  const entries = await selectEntries(ctx.database.reader, {
    ...query,
    communityId,
    actorId: user,
    channels: channelsFor(access),
  });
  const users = await ctx.users.all(entries.flatMap(peopleIn));
  return entries.map((entry) => describeEntry(entry, users));
}

function channelsFor(access: Access): EntryRange['channels'] {
  if (hasPermission(PERMISSIONS, access.permissions, 'ADMINISTRATOR')) return undefined;
  const byVisibility = Object.groupBy(access.community.channelById.values(), (channel) =>
    hasPermission(PERMISSIONS, permissionsIn(access, channel), 'VIEW') ? 'seen' : 'hidden',
  );
  const { seen = [], hidden = [] } = byVisibility;
  return { seen: seen.map(({ id }) => id), hidden: hidden.map(({ id }) => id) };
}

function peopleIn({ actorId, targetKind, targetId }: StoredEntry): readonly Id[] {
  const target = targetKind === 'user' ? parseId(targetId) : undefined;
  return target === undefined ? [actorId] : [actorId, target];
}

function describeEntry(entry: StoredEntry, users: ReadonlyMap<Id, UserSummary>): AuditEntry {
  const { targetKind: kind, targetId, targetName: name } = entry;
  const shown = (id: Id) => users.get(id) ?? deletedUser(id);
  const person = kind === 'user' ? parseId(targetId) : undefined;
  const target = {
    kind,
    id: targetId,
    ...(name !== '' && { name }),
    ...(person !== undefined && { user: shown(person) }),
  };
  return {
    id: entry.id,
    community_id: entry.communityId,
    user: shown(entry.actorId),
    action: entry.action,
    ...(kind !== '' && { target }),
    ...(entry.channelId !== '' && { channel_id: entry.channelId }),
    ...(entry.reason !== '' && { reason: entry.reason }),
    ...(entry.changes.length > 0 && { changes: [...entry.changes] }),
    created_at: entry.createdAtMs,
  };
}
