import type { Id } from '@hearth/protocol';
import type { Reader, Transaction, Writer } from '../../../ports/database/database.ts';
import type { Swept } from '../../../ports/database/delete-after.ts';
import { evenly, readRows } from '../../../ports/database/read-rows.ts';
import { NO_ID } from '../../../ports/database/stored-id.ts';
import type { MembersTable } from './tables.ts';
import { keepTimeOut } from './time-outs-store.ts';

export interface StoredMember {
  readonly communityId: Id;
  readonly userId: Id;
  /** Empty if the member has none. */
  readonly nickname: string;
  readonly roleIds: readonly Id[];
  readonly joinedAtMs: number;
  /** 0 for a member who may write. */
  readonly timedOutUntilMs: number;
  readonly version: number;
}

/** A membership, after one query whether there is one or not; undefined if the user is not a member. */
export async function selectMember(
  db: Reader,
  communityId: Id,
  userId: Id,
): Promise<StoredMember | undefined> {
  const [member] = await selectMembersAtOnce(db, communityId, [userId]);
  return member;
}

/** Reads the memberships of those of the users who are members, by one statement, in no order. */
export async function selectMembersAtOnce(
  db: Reader,
  communityId: Id,
  userIds: readonly Id[],
): Promise<readonly StoredMember[]> {
  const rows = await db
    .selectFrom('members')
    .leftJoin('member_roles', (join) =>
      join
        .onRef('member_roles.community_id', '=', 'members.community_id')
        .onRef('member_roles.user_id', '=', 'members.user_id'),
    )
    // Not one that was deleted and is still being taken from its members.
    .leftJoin('roles', (join) =>
      join.onRef('roles.id', '=', 'member_roles.role_id').on('roles.deleted', '=', 0),
    )
    .selectAll('members')
    .select('roles.id as role_id')
    .where('members.community_id', '=', communityId)
    .where('members.user_id', 'in', evenly(userIds))
    .orderBy('roles.id')
    .execute();
  return Array.from(Map.groupBy(rows, ({ user_id: id }) => id).values(), (own) => {
    const roleIds = own.flatMap(({ role_id: id }) => (id === null ? [] : [id]));
    // Guarantee: a group has a row.
    return memberOf(own[0] as (typeof rows)[number], roleIds);
  });
}

const OF_VERSION = `select version from members
  where community_id = $1 and user_id = $2 and version = $3`;

/** Resolves with whether a user is a member, and as they were known. */
export async function hasVersion(
  tx: Transaction,
  { communityId, userId, version }: Pick<StoredMember, 'communityId' | 'userId' | 'version'>,
): Promise<boolean> {
  const rows = await tx.rows({ text: OF_VERSION, values: [communityId, userId, version] });
  return rows.length > 0;
}

/** Reads the memberships of those of the users who are members, in no order. */
export async function selectMembers(
  db: Reader,
  communityId: Id,
  userIds: readonly Id[],
): Promise<readonly StoredMember[]> {
  if (userIds.length === 0) return [];
  const rows = await db
    .selectFrom('members')
    .selectAll()
    .where('community_id', '=', communityId)
    .where('user_id', 'in', userIds)
    .execute();
  return await withRoles(db, rows);
}

/** Members of a community after one of them, in an order of their ids. */
export async function selectMembersAfter(
  db: Reader,
  communityId: Id,
  { after, limit }: { readonly after: Id | undefined; readonly limit: number },
): Promise<readonly StoredMember[]> {
  const rows = await db
    .selectFrom('members')
    .selectAll()
    .where('community_id', '=', communityId)
    .where('user_id', '>', after ?? NO_ID)
    .orderBy('user_id')
    .limit(limit)
    .execute();
  return await withRoles(db, rows);
}

/** Which members: those with one of these roles, or any, after one of them. */
export interface MembersWith {
  readonly roles: readonly Id[] | undefined;
  readonly after: Id | undefined;
  readonly limit: number;
}

/** Users who are members, in an order of their ids. */
export async function selectMembersWith(
  db: Reader,
  communityId: Id,
  { roles, after, limit }: MembersWith,
): Promise<readonly Id[]> {
  const rows =
    roles === undefined
      ? await db
          .selectFrom('members')
          .select('user_id')
          .where('community_id', '=', communityId)
          .where('user_id', '>', after ?? NO_ID)
          .orderBy('user_id')
          .limit(limit)
          .execute()
      : await db
          .selectFrom('member_roles')
          .select('user_id')
          .distinct()
          .where('community_id', '=', communityId)
          .where('role_id', 'in', roles)
          .where('user_id', '>', after ?? NO_ID)
          .orderBy('user_id')
          .limit(limit)
          .execute();
  return rows.map((row) => row.user_id);
}

const OF_USER = `select members.*, roles.id as role_id from members
  left join member_roles on member_roles.community_id = members.community_id and member_roles.user_id = members.user_id
  left join roles on roles.id = member_roles.role_id and roles.deleted = 0
  where members.user_id = $1 order by roles.id`;

/** All memberships of a user, in no order. */
export async function selectMemberships(db: Reader, userId: Id): Promise<readonly StoredMember[]> {
  const statement = { text: OF_USER, values: [userId] };
  const members = new Map<string, MembersTable>();
  const roleIds = new Map<string, Id[]>();
  for (const row of await readRows<MembersTable & { role_id: Id | null }>(db, statement)) {
    members.set(row.community_id, row);
    if (row.role_id === null) continue;
    roleIds.getOrInsertComputed(row.community_id, () => []).push(row.role_id);
  }
  return Array.from(members.values(), (row) => memberOf(row, roleIds.get(row.community_id) ?? []));
}

/** The nicknames of a user, whose memberships no other transaction changes or ends until the end of this one. */
export async function lockNicknames(
  db: Writer,
  userId: Id,
): Promise<readonly Pick<StoredMember, 'communityId' | 'nickname'>[]> {
  return await db
    .selectFrom('members')
    .select(['community_id as communityId', 'nickname'])
    .where('user_id', '=', userId)
    .orderBy('community_id')
    .forUpdate()
    .execute();
}

export async function selectCommunitiesOf(db: Reader, userId: Id): Promise<readonly Id[]> {
  const rows = await db
    .selectFrom('members')
    .select('community_id')
    .where('user_id', '=', userId)
    .orderBy('community_id')
    .execute();
  return rows.map(({ community_id: id }) => id);
}

/** Removes a member, whose time-out is kept; false if the user is none. */
export async function deleteMember(db: Writer, communityId: Id, userId: Id): Promise<boolean> {
  await db
    .deleteFrom('member_roles')
    .where('community_id', '=', communityId)
    .where('user_id', '=', userId)
    .execute();
  const row = await db
    .deleteFrom('members')
    .where('community_id', '=', communityId)
    .where('user_id', '=', userId)
    .returning('timed_out_until_ms')
    .executeTakeFirst();
  const untilMs = row?.timed_out_until_ms ?? 0;
  if (untilMs > 0) await keepTimeOut(db, { communityId, userId, untilMs });
  return row !== undefined;
}

/** Replaces the nickname and the time-out of a member, and raises the version. */
export async function updateMember(
  db: Writer,
  {
    communityId,
    userId,
    nickname,
    timedOutUntilMs,
  }: Omit<StoredMember, 'roleIds' | 'joinedAtMs' | 'version'>,
): Promise<void> {
  await db
    .updateTable('members')
    .set((own) => ({
      nickname,
      timed_out_until_ms: timedOutUntilMs,
      version: own('version', '+', 1),
    }))
    .where('community_id', '=', communityId)
    .where('user_id', '=', userId)
    .execute();
}

export async function replaceRoles(
  db: Writer,
  { communityId, userId, roleIds }: Pick<StoredMember, 'communityId' | 'userId' | 'roleIds'>,
): Promise<void> {
  const key = { community_id: communityId, user_id: userId };
  await db
    .deleteFrom('member_roles')
    .where('community_id', '=', communityId)
    .where('user_id', '=', userId)
    .execute();
  if (roleIds.length === 0) return;
  await db
    .insertInto('member_roles')
    .values(roleIds.map((roleId) => ({ ...key, role_id: roleId })))
    .execute();
}

/** Returns how to find the members who have a role, in the order in which it is taken from them. */
export function sweptRole(roleId: Id): Swept {
  return { table: 'member_roles', where: { role_id: roleId }, order: ['user_id'] };
}

async function withRoles(
  db: Reader,
  rows: readonly MembersTable[],
): Promise<readonly StoredMember[]> {
  if (rows.length === 0) return [];
  const roles = await db
    .selectFrom('member_roles')
    .innerJoin('roles', 'roles.id', 'member_roles.role_id')
    .selectAll('member_roles')
    .where('member_roles.community_id', 'in', [...new Set(rows.map((row) => row.community_id))])
    .where('member_roles.user_id', 'in', [...new Set(rows.map((row) => row.user_id))])
    .where('roles.deleted', '=', 0)
    .orderBy('member_roles.role_id')
    .execute();
  const keyOf = (row: Pick<MembersTable, 'community_id' | 'user_id'>) =>
    `${row.community_id} ${row.user_id}`;
  const rolesOf = Map.groupBy(roles, keyOf);
  return rows.map((row) => {
    const own = rolesOf.get(keyOf(row)) ?? [];
    return memberOf(
      row,
      own.map((role) => role.role_id),
    );
  });
}

function memberOf(row: MembersTable, roleIds: readonly Id[]): StoredMember {
  return {
    communityId: row.community_id,
    userId: row.user_id,
    nickname: row.nickname,
    roleIds,
    joinedAtMs: row.joined_at_ms,
    timedOutUntilMs: row.timed_out_until_ms,
    version: row.version,
  };
}
