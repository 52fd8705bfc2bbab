import { NotFoundError, type OwnCommunity, type Id } from '@hearth/protocol';
import type { Account } from '../../../actor.ts';
import type { Context } from '../../../context.ts';
import { amongAll, dropOut, type EmittingTransaction } from '../../../ports/outbox/outbox.ts';
import { requireEntry } from '../../accounts/moderation/moderation.ts';
import {
  NOWHERE,
  isBanned,
  selectMember,
  readStored,
  bansOf,
  lockCommunities,
  memberKey,
  readCommunities,
  selectMembers,
  type AccessContext,
} from '../structure/structure.ts';
import { enterAll, type HasMembershipBeginners, type EnteringContext } from '../members/members.ts';
import { isUsable } from './is-usable.ts';
import { selectInvite, addUses, lockInvites, type StoredInvite } from './store.ts';
import { rolesGivenBy } from './given-roles.ts';

/**
 * Makes the caller a member of the community that an invite is for; a member already is answered the same, and uses nothing.
 * Throws NotFoundError, after the same queries, if it cannot be used or if they are banned from the community, and
 * ConflictError for one community too many.
 */
export async function useInvite(
  ctx: AccessContext & HasMembershipBeginners,
  actor: Account,
  { code }: { readonly code: string },
): Promise<OwnCommunity> {
  await requireEntry(ctx, actor);
  const { reader } = ctx.database;
  const nowMs = ctx.clock.unixMs();
  const { user_id: userId } = actor;
  const invite = await selectInvite(reader, code);
  const communityId = invite?.community_id ?? NOWHERE;
  const community = await readStored(reader, communityId);
  const member = await selectMember(reader, communityId, userId);
  const mayNot = await isBanned(reader, { communityId, userId, nowMs });
  if (invite === undefined || community === undefined || mayNot) throw new NotFoundError();
  if (member === undefined && !isUsable(invite, nowMs)) throw new NotFoundError();
  const writing = { subjects: [communityId, userId], caller: userId } as const;
  return await ctx.database.write(useInvites, { ctx, invite, userId }, writing);
}

/** Somebody who joins with an invite that can be used, as it was read. */
export interface Using {
  readonly ctx: EnteringContext;
  readonly invite: StoredInvite;
  readonly userId: Id;
}

/**
 * Makes people members of the communities that their invites are for, in the order of the list; members already are answered the
 * same, and use nothing. Those drop out with NotFoundError who are banned, or whose invites cannot be used any more; others as
 * {@link enterAll} has it.
 */
export async function useInvites(
  tx: EmittingTransaction,
  uses: readonly Using[],
): Promise<readonly OwnCommunity[]> {
  const [first] = uses;
  if (first === undefined) return [];
  const { ctx } = first;
  const nowMs = ctx.clock.unixMs();
  const ids = new Set(uses.map(({ invite }) => invite.community_id));
  const communities = await lockCommunities(tx, ids);
  // Nobody joins, is banned or leaves from here on.
  const given = uses.map(({ invite: { community_id: communityId, code }, userId }, at) => {
    return { communityId, userId, code, key: memberKey(communityId, userId), at };
  });
  const bans = await bansOf(tx, given, nowMs);
  const members = await membersAmong(tx, given);
  const invites = await lockInvites(tx, new Set(given.map(({ code }) => code)));
  refuse(
    given.filter(({ communityId, code, key }) => {
      if (!communities.has(communityId)) return true;
      if (members.has(key)) return false;
      const invite = invites.get(code);
      return bans.has(key) || invite === undefined || !isUsable(invite, nowMs);
    }),
  );
  const used = new Map<string, number>();
  const [entering, late] = partition(given, ({ code, key }) => {
    const invite = invites.get(code);
    if (members.has(key) || invite === undefined) return true;
    const before = used.get(code) ?? 0;
    if (!isUsable({ ...invite, uses: invite.uses + before }, nowMs)) return false;
    used.set(code, before + 1);
    members.add(key);
    return true;
  });
  await addUses(tx, used, nowMs);
  const roles = await rolesOf(tx, ctx, [...invites.values()]);
  const places = entering.map(({ at }) => at);
  const entered = await amongAll(places, () =>
    enterAll(
      tx,
      ctx,
      entering.map((each) => ({ ...each, roleIds: roles.get(each.code) ?? [] })),
    ),
  );
  // Only now, because somebody who may not enter uses nothing up.
  refuse(late);
  return entered;
}

function refuse(uses: readonly { readonly at: number }[]): void {
  dropOut(uses.map(({ at }) => [at, { error: new NotFoundError() }]));
}

function partition<Item>(
  items: readonly Item[],
  belongs: (item: Item) => boolean,
): readonly [readonly Item[], readonly Item[]] {
  const [those, others]: [Item[], Item[]] = [[], []];
  for (const item of items) (belongs(item) ? those : others).push(item);
  return [those, others];
}

async function membersAmong(
  tx: EmittingTransaction,
  given: readonly { readonly communityId: Id; readonly userId: Id }[],
): Promise<Set<string>> {
  const members = new Set<string>();
  for (const [communityId, own] of Map.groupBy(given, (each) => each.communityId)) {
    const userIds = own.map(({ userId }) => userId);
    for (const { userId } of await selectMembers(tx.sql, communityId, userIds)) {
      members.add(memberKey(communityId, userId));
    }
  }
  return members;
}

/** The roles that invites give, by their codes. */
async function rolesOf(
  tx: EmittingTransaction,
  ctx: Pick<Context, 'clock'>,
  invites: readonly StoredInvite[],
): Promise<ReadonlyMap<string, readonly Id[]>> {
  const giving = invites.filter(({ role_ids: roleIds }) => roleIds.length > 0);
  if (giving.length === 0) return new Map();
  const ids = [...new Set(giving.map(({ community_id: id }) => id))];
  const communities = await readCommunities(tx.sql, ids);
  const roles = new Map<string, readonly Id[]>();
  for (const invite of giving) {
    const community = communities.find(({ stored }) => stored.id === invite.community_id);
    if (community === undefined) continue;
    roles.set(invite.code, await rolesGivenBy(tx.sql, ctx, { community, invite }));
  }
  return roles;
}
