import type { Id } from '@hearth/protocol';
import type { Reader, Writer } from '../../ports/database/database.ts';

/** Takes the pace of a channel with slow mode: notes a post, unless the last one was after a moment. Returns whether it did. */
export async function takePace(
  db: Writer,
  { channelId, userId }: { readonly channelId: Id; readonly userId: Id },
  { nowMs, afterMs }: { readonly nowMs: number; readonly afterMs: number },
): Promise<boolean> {
  const row = await db
    .insertInto('channel_paces')
    .values({ channel_id: channelId, user_id: userId, posted_at_ms: nowMs })
    .onConflict((conflict) =>
      conflict
        .columns(['channel_id', 'user_id'])
        .doUpdateSet({ posted_at_ms: nowMs })
        .where('channel_paces.posted_at_ms', '<=', afterMs),
    )
    .returning('user_id')
    .executeTakeFirst();
  return row !== undefined;
}

/** When a member has posted last in a channel with slow mode. */
export async function selectPace(db: Reader, channelId: Id, userId: Id): Promise<number> {
  const row = await db
    .selectFrom('channel_paces')
    .select('posted_at_ms')
    .where('channel_id', '=', channelId)
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return Number(row?.posted_at_ms ?? 0);
}
