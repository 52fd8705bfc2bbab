import { NotFoundError, type OwnCommunity } from '@hearth/protocol';
import type { User } from '../../actor.ts';
import type { EmittingTransaction } from '../../ports/outbox/outbox.ts';
import { isBanned } from '../bans/require-no-ban.ts';
import type { CommunityContext } from '../communities/community-context.ts';
import { findOwnCommunity } from '../communities/find-own-community.ts';
import { readCommunity } from '../communities/known-communities.ts';
import { lockCommunity } from '../communities/lock-community.ts';
import { readStored } from '../communities/read-stored.ts';
import { enter } from '../members/enter.ts';
import { readMember } from '../members/read-member.ts';
import { requireEntry } from '../moderation/require-entry.ts';
import { rolesGivenBy } from './given-roles.ts';
import { isUsable } from './is-usable.ts';
import { NOWHERE } from '../communities/nowhere.ts';
import { selectInvite, useInviteOnce, type StoredInvite } from './store.ts';

/**
 * Makes the caller a member of the community that an invite is for; a member already is answered the same, and uses nothing.
 * Throws NotFoundError, after the same queries, if it cannot be used or if they are banned from the community, and
 * ConflictError for one community too many.
 */
export async function useInvite(
  ctx: CommunityContext,
  actor: User,
  { code }: { readonly code: string },
): Promise<OwnCommunity> {
  await requireEntry(ctx, actor);
  const { reader } = ctx.database;
  const nowMs = ctx.clock.unixMs();
  const { user_id: userId } = actor;
  const invite = await selectInvite(reader, code);
  const communityId = invite?.communityId ?? NOWHERE;
  const community = await readStored(reader, communityId);
  const member = await readMember(reader, communityId, userId);
  const mayNot = await isBanned(reader, { communityId, userId, nowMs });
  if (invite === undefined || community === undefined || mayNot) throw new NotFoundError();
  if (member === undefined && !isUsable(invite, nowMs)) throw new NotFoundError();
  return await ctx.database.transaction((tx) => join(tx, ctx, { actor, invite, nowMs }));
}

interface Joining {
  readonly actor: User;
  readonly invite: StoredInvite;
  readonly nowMs: number;
}

async function join(
  tx: EmittingTransaction,
  ctx: CommunityContext,
  { actor, invite, nowMs }: Joining,
): Promise<OwnCommunity> {
  const { communityId, code } = invite;
  const { user_id: userId } = actor;
  if ((await lockCommunity(tx, communityId)) === undefined) throw new NotFoundError();
  // Nobody joins, is banned or leaves from here on.
  if ((await readMember(tx.sql, communityId, userId)) !== undefined) {
    return await findOwnCommunity(tx.sql, ctx, { actor, id: communityId });
  }
  const mayNot = await isBanned(tx.sql, { communityId, userId, nowMs });
  if (mayNot || !(await useInviteOnce(tx.sql, code, nowMs))) throw new NotFoundError();
  const community = await readCommunity(tx.sql, communityId);
  if (community === undefined) throw new NotFoundError();
  const roleIds = await rolesGivenBy(tx.sql, ctx, { community, invite });
  return await enter(tx, ctx, { communityId, userId, roleIds });
}
