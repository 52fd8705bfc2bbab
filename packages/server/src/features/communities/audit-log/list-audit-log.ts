import { isDeepStrictEqual } from 'node:util';
import {
  channelSightOf,
  hasPermission,
  parseId,
  PERMISSIONS,
  type AuditChange,
  type AuditEntry,
  type AuditQuery,
  type Id,
  type UserSummary,
} from '@hearth/protocol';
import type { Account } from '../../../actor.ts';
import { accessTo, requireIn, type Access, type AccessContext } from '../structure/structure.ts';
import { deletedUser, type KeepsUsers } from '../../accounts/users/users.ts';
import { selectEntries, type EntryRange, type StoredEntry } from '../audit/audit.ts';

/** Fields that name channels. */
const CHANNEL_FIELDS: ReadonlySet<string> = new Set(['category_id', 'card_channel_ids']);

/**
 * Lists what was done in a community, the newest first, but not what concerns channels that the caller does not see.
 * Throws NotFoundError if they may not know that it exists, and ForbiddenError without VIEW_AUDIT_LOG.
 */
export async function listAuditLog(
  ctx: AccessContext & KeepsUsers,
  actor: Account,
  { community_id: communityId, user, ...query }: AuditQuery & { readonly community_id: Id },
): Promise<readonly AuditEntry[]> {
  const access = await accessTo(ctx, actor, communityId);
  requireIn(access, 'VIEW_AUDIT_LOG', ctx.clock.unixMs());
  const channels = channelsFor(access);
  const range = { ...query, communityId, actorId: user, channels };
  const entries = await selectEntries(ctx.database.reader, range);
  const users = await ctx.users.all(entries.flatMap(peopleIn));
  const seen = channels === undefined ? undefined : new Set<unknown>(channels.seen);
  return entries.map((entry) => {
    const changes = entry.changes.flatMap((change) => changeFor(change, seen) ?? []);
    return describeEntry({ ...entry, changes }, users);
  });
}

/** A change as somebody reads it who sees these channels, or all; undefined if nothing of it is left. */
function changeFor(
  change: AuditChange,
  seen: ReadonlySet<unknown> | undefined,
): AuditChange | undefined {
  if (seen === undefined || !CHANNEL_FIELDS.has(change.field)) return change;
  const { field, before, after } = change;
  const shown = (value: AuditChange['before']) => {
    if (Array.isArray(value)) return value.filter((id) => seen.has(id));
    return seen.has(value) ? value : undefined;
  };
  const [was, is] = [shown(before), shown(after)];
  if (isDeepStrictEqual(was, is)) return undefined;
  return {
    field,
    ...(was !== undefined && { before: was }),
    ...(is !== undefined && { after: is }),
  };
}

function channelsFor(access: Access): EntryRange['channels'] {
  if (hasPermission(PERMISSIONS, access.permissions, 'ADMINISTRATOR')) return undefined;
  const { viewer, community } = access;
  const byVisibility = Object.groupBy(community.channelById.values(), ({ levels }) =>
    channelSightOf(viewer, community, levels).reads ? 'seen' : 'hidden',
  );
  const { seen = [], hidden = [] } = byVisibility;
  return { seen: seen.map(({ id }) => id), hidden: hidden.map(({ id }) => id) };
}

function peopleIn({ actor_id: actorId, target_kind: kind, target }: StoredEntry): readonly Id[] {
  const user = kind === 'user' ? parseId(target) : undefined;
  return user === undefined ? [actorId] : [actorId, user];
}

function describeEntry(entry: StoredEntry, users: ReadonlyMap<Id, UserSummary>): AuditEntry {
  const { target_kind: kind, target: targetId, target_name: name, channel_id } = entry;
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
    community_id: entry.community_id,
    user: shown(entry.actor_id),
    action: entry.action,
    ...(kind !== '' && { target }),
    ...(channel_id !== '' && { channel_id }),
    ...(entry.reason !== '' && { reason: entry.reason }),
    ...(entry.changes.length > 0 && { changes: [...entry.changes] }),
    created_at: entry.created_at_ms,
  };
}
