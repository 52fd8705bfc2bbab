import { compareIds, UnauthorizedError, type Id } from '@hearth/protocol';
import { MOST_COMMUNITIES } from '@hearth/protocol/schemas';
import { tooMany } from '../../../too-many.ts';
import type { Transaction } from '../../../ports/database/database.ts';
import { dropOut, onlyOf } from '../../../ports/outbox/outbox.ts';
import { holdActiveUsers, type UserNames } from '../../accounts/users/users.ts';
import {
  countMembershipsOf,
  deleteTimeOuts,
  insertMembers,
  insertRoles,
  memberKey,
  type MemberPair,
  type StoredMember,
} from '../structure/structure.ts';
import { foldedNames } from './folded-names.ts';
import { insertNames } from './names-store.ts';

/** A person who becomes a member of a community. */
export interface NewMember extends MemberPair {
  readonly roleIds?: readonly Id[];
}

/**
 * Adds a member to a community that is locked; false if they are one already. The caller counts them. Throws ConflictError
 * for one community too many, and UnauthorizedError if the account has been deleted meanwhile.
 */
export async function addMember(
  tx: Transaction,
  { nowMs, ...member }: NewMember & { readonly nowMs: number },
): Promise<boolean> {
  return await onlyOf(async () => [(await addMembers(tx, [member], nowMs)).size > 0]);
}

/**
 * Adds members to communities that are locked, in the order of the list: somebody who is there twice is a member already the second
 * time. The caller counts them. Returns the new members by their places in the list. Those who are in one community too many drop
 * out with ConflictError, and those whose accounts have been deleted meanwhile with UnauthorizedError.
 */
export async function addMembers(
  tx: Transaction,
  given: readonly NewMember[],
  nowMs: number,
): Promise<ReadonlyMap<number, StoredMember>> {
  // Two joins of one person wait for each other here, so that their number stays bounded.
  const users = await holdActiveUsers(tx, new Set(given.map(({ userId }) => userId)));
  dropOut(
    given.flatMap(({ userId }, at) =>
      users.has(userId) ? [] : [[at, { error: new UnauthorizedError('token_ended') }] as const],
    ),
  );
  const added = await insertOnce(tx, given, nowMs);
  if (added.size === 0) return added;
  await requireRoom(tx, added);
  const members = [...added.values()];
  const timedOut = members.filter(({ timedOutUntilMs }) => timedOutUntilMs > 0);
  if (timedOut.length > 0) await deleteTimeOuts(tx, timedOut);
  await insertNames(
    tx,
    members.map((member) => ({ ...member, names: namesOf(users, member) })),
  );
  await insertRoles(tx, members);
  for (const { communityId, userId } of members) {
    tx.changed('members', memberKey(communityId, userId));
  }
  return added;
}

async function insertOnce(
  tx: Transaction,
  given: readonly NewMember[],
  nowMs: number,
): Promise<ReadonlyMap<number, StoredMember>> {
  const places = new Map<string, number>();
  for (const [at, { communityId, userId }] of given.entries()) {
    places.getOrInsert(memberKey(communityId, userId), at);
  }
  const inserted = await insertMembers(
    tx,
    given.filter(
      ({ communityId, userId }, at) => places.get(memberKey(communityId, userId)) === at,
    ),
    nowMs,
  );
  const ends = new Map(
    inserted.map(({ communityId, userId, timedOutUntilMs }) => [
      places.get(memberKey(communityId, userId)),
      timedOutUntilMs,
    ]),
  );
  return new Map(
    given.flatMap(({ communityId, userId, roleIds = [] }, at) => {
      const timedOutUntilMs = ends.get(at);
      if (timedOutUntilMs === undefined) return [];
      const own = { communityId, userId, roleIds: roleIds.toSorted(compareIds), timedOutUntilMs };
      return [[at, { ...own, nickname: '', joinedAtMs: nowMs, version: 1 }] as const];
    }),
  );
}

/** Lets those drop out who are in too many communities now; of several that somebody joins, the last ones. */
async function requireRoom(
  tx: Transaction,
  added: ReadonlyMap<number, StoredMember>,
): Promise<void> {
  const byUser = Map.groupBy(added, ([, { userId }]) => userId);
  const counts = await countMembershipsOf(tx, [...byUser.keys()]);
  const over = Array.from(byUser, ([userId, own]) => {
    const count = Math.max(0, (counts.get(userId) ?? 0) - MOST_COMMUNITIES);
    return own.slice(Math.max(0, own.length - count)).map(([at]) => at);
  });
  dropOut(
    over.flat().map((at) => [at, { error: tooMany('communities', MOST_COMMUNITIES) }] as const),
  );
}

function namesOf(users: ReadonlyMap<Id, UserNames>, { userId }: StoredMember) {
  const user = users.get(userId);
  return user === undefined ? [] : foldedNames(user, '');
}
