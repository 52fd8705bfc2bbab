import type { Reader, Transaction, Writer } from '../../../ports/database/database.ts';
import type { MemberPair } from './new-members-store.ts';

/** A time-out of somebody who has left. */
export interface KeptTimeOut extends MemberPair {
  readonly untilMs: number;
}

export async function keepTimeOut(
  db: Writer,
  { communityId, userId, untilMs }: KeptTimeOut,
): Promise<void> {
  await db
    .insertInto('kept_time_outs')
    .values({ community_id: communityId, user_id: userId, until_ms: untilMs })
    .onConflict((conflict) =>
      conflict.columns(['community_id', 'user_id']).doUpdateSet({ until_ms: untilMs }),
    )
    .execute();
}

/** The end of the time-out of somebody who has left; 0 if there is none. */
export async function selectTimeOut(
  db: Reader,
  { communityId, userId }: MemberPair,
): Promise<number> {
  const row = await db
    .selectFrom('kept_time_outs')
    .select('until_ms')
    .where('community_id', '=', communityId)
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return row?.until_ms ?? 0;
}

const OF_MANY = `select kept.community_id as "communityId", kept.user_id as "userId" from given
  join kept_time_outs kept on kept.community_id = given.community_id and kept.user_id = given.user_id
  where kept.until_ms > given.now_ms`;

/** Reads which of several people have a time-out that goes on after they have left. */
export async function selectTimedOut(
  tx: Transaction,
  people: readonly MemberPair[],
  nowMs: number,
): Promise<readonly MemberPair[]> {
  return await tx.many({
    text: OF_MANY,
    columns: { community_id: 'text', user_id: 'text', now_ms: 'bigint' },
    rows: people.map(({ communityId, userId }) => [communityId, userId, nowMs]),
  });
}

export async function deletePastTimeOuts(db: Writer, nowMs: number): Promise<void> {
  await db.deleteFrom('kept_time_outs').where('until_ms', '<=', nowMs).execute();
}
