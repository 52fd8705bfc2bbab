import type { Id } from '@hearth/protocol';
import type { Transaction } from '../../../ports/database/database.ts';

/** A person and a community. */
export interface MemberPair {
  readonly communityId: Id;
  readonly userId: Id;
}

const PAIR = { community_id: 'text', user_id: 'text' } as const;

const INSERT = `insert into members (community_id, user_id, nickname, joined_at_ms, timed_out_until_ms, version)
  select given.community_id, given.user_id, '', given.now_ms,
    case when kept.until_ms > given.now_ms then kept.until_ms else 0 end, 1
  from given left join kept_time_outs kept on kept.community_id = given.community_id and kept.user_id = given.user_id
  where true
  on conflict (community_id, user_id) do nothing
  returning community_id as "communityId", user_id as "userId", timed_out_until_ms as "timedOutUntilMs"`;

/**
 * Adds members without roles, each of whom is there once. They have the time-outs again with which they left. Returns those who
 * were none yet, in no order, with the ends of their time-outs, or 0.
 */
export async function insertMembers(
  tx: Transaction,
  members: readonly MemberPair[],
  nowMs: number,
): Promise<readonly (MemberPair & { readonly timedOutUntilMs: number })[]> {
  return await tx.many({
    text: INSERT,
    columns: { ...PAIR, now_ms: 'bigint' },
    rows: members.map((pair) => [...columnsOf(pair), nowMs]),
  });
}

const FORGET_TIME_OUTS = `delete from kept_time_outs
  where (community_id, user_id) in (select community_id, user_id from given)`;

/** Forgets time-outs of people who have them again. */
export async function deleteTimeOuts(
  tx: Transaction,
  members: readonly MemberPair[],
): Promise<void> {
  await tx.runMany({ text: FORGET_TIME_OUTS, columns: PAIR, rows: members.map(columnsOf) });
}

const COUNT = `select given.user_id, count(*) as count from given
  join members on members.user_id = given.user_id group by given.user_id`;

/** Counts the communities of which users are members, each of whom is there once. */
export async function countMembershipsOf(
  tx: Transaction,
  userIds: readonly Id[],
): Promise<ReadonlyMap<Id, number>> {
  const rows = await tx.many<{ readonly user_id: Id; readonly count: number }>({
    text: COUNT,
    columns: { user_id: 'text' },
    rows: userIds.map((userId) => [userId]),
  });
  return new Map(rows.map((row) => [row.user_id, row.count]));
}

const INSERT_ROLES = `insert into member_roles (community_id, user_id, role_id)
  select community_id, user_id, role_id from given`;

export async function insertRoles(
  tx: Transaction,
  members: readonly (MemberPair & { readonly roleIds: readonly Id[] })[],
): Promise<void> {
  const rows = members.flatMap(({ roleIds, ...pair }) =>
    roleIds.map((roleId) => [...columnsOf(pair), roleId]),
  );
  if (rows.length === 0) return;
  await tx.runMany({ text: INSERT_ROLES, columns: { ...PAIR, role_id: 'text' }, rows });
}

function columnsOf({ communityId, userId }: MemberPair) {
  return [communityId, userId] as const;
}
