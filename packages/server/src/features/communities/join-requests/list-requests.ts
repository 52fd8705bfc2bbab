import {
  hasPermission,
  PERMISSIONS,
  type Id,
  type JoinRequest,
  type UserSummary,
} from '@hearth/protocol';
import { idSchema } from '@hearth/protocol/schemas';
import { z } from 'zod';
import type { Account } from '../../../actor.ts';
import { pageOf, readCursor, type Page } from '../../../page.ts';
import { deletedUser, type KeepsUsers } from '../../accounts/users/users.ts';
import type { ExportPart } from '../../accounts/exports/exports.ts';
import { accessTo, requireIn, type AccessContext, type Access } from '../structure/structure.ts';
import { selectRequests, selectRequestsOf } from './store.ts';
import type { JoinRequestsTable } from './tables.ts';

const placeSchema = z.object({ created_at: z.int(), user_id: idSchema });

interface RequestListing {
  readonly community_id: Id;
  readonly cursor?: string | undefined;
  readonly limit: number;
}

/**
 * Lists the people who ask to become members of a community, the oldest request first. Throws ForbiddenError without
 * KICK or MANAGE_INVITES, and ValidationError for `cursor`.
 */
export async function listRequests(
  ctx: AccessContext & KeepsUsers,
  actor: Account,
  { community_id: communityId, cursor, limit }: RequestListing,
): Promise<Page<JoinRequest>> {
  requireAnswering(await accessTo(ctx, actor, communityId), ctx.clock.unixMs());
  const after = readCursor(placeSchema, cursor);
  const { reader } = ctx.database;
  const requests = await selectRequests(reader, communityId, { after, limit: limit + 1 });
  const page = pageOf(requests, limit, ({ created_at_ms: created_at, user_id }) => {
    return { created_at, user_id };
  });
  const users = await ctx.users.all(page.entries.map(({ user_id: userId }) => userId));
  return { ...page, entries: page.entries.map((request) => describeRequest(request, users)) };
}

/** A request, for moderators and for the person who asks. */
export function describeRequest(
  { community_id, user_id: id, content: text, created_at_ms: created_at }: JoinRequestsTable,
  users: ReadonlyMap<Id, UserSummary>,
): JoinRequest {
  return {
    user: users.get(id) ?? deletedUser(id),
    community_id,
    ...(text !== '' && { text }),
    created_at,
  };
}

/** Throws ForbiddenError unless somebody may see and answer requests to join: that takes KICK or MANAGE_INVITES. */
export function requireAnswering(access: Access, nowMs: number): void {
  if (hasPermission(PERMISSIONS, access.permissions, 'MANAGE_INVITES')) return;
  requireIn(access, 'KICK', nowMs);
}

/** Exports the requests of a person to be accepted by communities. */
export const exportRequests: ExportPart = async ({ database, clock }, userId) => {
  const requests = await selectRequestsOf(database.reader, userId);
  if (requests.length === 0) return [];
  const described = requests.map(({ community_id, content, created_at_ms: created_at }) => {
    return { community_id, text: content, created_at };
  });
  const text = JSON.stringify(described, null, 2);
  const modifiedAtMs = clock.unixMs();
  return [{ name: 'join-requests.json', modifiedAtMs, read: async () => text }];
};
