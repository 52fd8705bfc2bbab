import type { Id } from '@hearth/protocol';
import type { Writer } from '../../ports/database/database.ts';

/** A time-out of somebody who has left. */
export interface KeptTimeOut {
  readonly communityId: Id;
  readonly userId: Id;
  readonly untilMs: number;
}

/** Keeps the time-out of somebody who leaves. */
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

/** Takes the time-out of somebody who comes back; 0 if there is none. */
export async function takeTimeOut(
  db: Writer,
  { communityId, userId }: Omit<KeptTimeOut, 'untilMs'>,
): Promise<number> {
  const row = await db
    .deleteFrom('kept_time_outs')
    .where('community_id', '=', communityId)
    .where('user_id', '=', userId)
    .returning('until_ms')
    .executeTakeFirst();
  return Number(row?.until_ms ?? 0);
}

/** Forgets time-outs that are over. */
export async function deletePastTimeOuts(db: Writer, nowMs: number): Promise<void> {
  await db.deleteFrom('kept_time_outs').where('until_ms', '<=', nowMs).execute();
}
