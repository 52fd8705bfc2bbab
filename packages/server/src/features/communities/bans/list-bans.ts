import { NotFoundError, type Ban, type Id, type UserSummary } from '@hearth/protocol';
import { idSchema } from '@hearth/protocol/schemas';
import { z } from 'zod';
import type { Account } from '../../../actor.ts';
import { pageOf, readCursor, type Page } from '../../../page.ts';
import { deletedUser, type KeepsUsers } from '../../accounts/users/users.ts';
import {
  accessTo,
  requireIn,
  selectBan,
  selectBans,
  type AccessContext,
  type CommunityBansTable,
} from '../structure/structure.ts';

const placeSchema = z.object({ created_at: z.int(), user_id: idSchema });

interface BanListing {
  readonly community_id: Id;
  readonly cursor?: string | undefined;
  readonly limit: number;
}

/** The bans of a community, the newest first. Throws ForbiddenError without BAN, and ValidationError for `cursor`. */
export async function listBans(
  ctx: AccessContext & KeepsUsers,
  actor: Account,
  { community_id: communityId, cursor, limit }: BanListing,
): Promise<Page<Ban>> {
  const nowMs = ctx.clock.unixMs();
  requireIn(await accessTo(ctx, actor, communityId), 'BAN', nowMs);
  const after = readCursor(placeSchema, cursor);
  const { reader } = ctx.database;
  const bans = await selectBans(reader, communityId, { after, limit: limit + 1, nowMs });
  const page = pageOf(bans, limit, ({ created_at_ms: created_at, user_id }) => {
    return { created_at, user_id };
  });
  const users = await ctx.users.all(page.entries.flatMap(peopleOf));
  return { ...page, entries: page.entries.map((ban) => describeBan(ban, users)) };
}

/** The ban of somebody. Throws NotFoundError if there is none, and ForbiddenError without BAN. */
export async function findBan(
  ctx: AccessContext & KeepsUsers,
  actor: Account,
  {
    community_id: communityId,
    user_id: userId,
  }: { readonly community_id: Id; readonly user_id: Id },
): Promise<Ban> {
  const nowMs = ctx.clock.unixMs();
  requireIn(await accessTo(ctx, actor, communityId), 'BAN', nowMs);
  const ban = await selectBan(ctx.database.reader, { communityId, userId, nowMs });
  if (ban === undefined) throw new NotFoundError();
  return describeBan(ban, await ctx.users.all(peopleOf(ban)));
}

export function peopleOf({ user_id: userId, created_by: by }: CommunityBansTable): readonly Id[] {
  return by === '' ? [userId] : [userId, by];
}

/** A ban, for moderators. */
export function describeBan(ban: CommunityBansTable, users: ReadonlyMap<Id, UserSummary>): Ban {
  const { user_id: id, created_by: createdBy, reason, expires_at_ms: expires_at } = ban;
  const by = createdBy === '' ? undefined : users.get(createdBy);
  return {
    user: users.get(id) ?? deletedUser(id),
    community_id: ban.community_id,
    ...(reason !== '' && { reason }),
    ...(by !== undefined && { created_by: by }),
    created_at: ban.created_at_ms,
    ...(expires_at > 0 && { expires_at }),
  };
}
