import type { Id } from '@hearth/protocol';
import type { Reader, Writer } from '../../../ports/database/database.ts';
import { reactionStore } from '../reactions/reactions.ts';

/** A message, and an emoji that people react with. */
export interface ReactionPlace {
  readonly channelId: Id;
  readonly messageId: Id;
  readonly emoji: string;
}

/** Notes a reaction; false if the user has reacted so before. */
export async function insertReaction(
  db: Writer,
  { channelId, messageId, emoji }: ReactionPlace,
  { userId, nowMs }: { readonly userId: Id; readonly nowMs: number },
): Promise<boolean> {
  const row = await db
    .insertInto('channel_reactions')
    .values({
      message_id: messageId,
      emoji,
      user_id: userId,
      channel_id: channelId,
      reacted_at_ms: nowMs,
    })
    .onConflict((conflict) => conflict.columns(['message_id', 'emoji', 'user_id']).doNothing())
    .returning('emoji')
    .executeTakeFirst();
  return row !== undefined;
}

export const { deleteReaction, selectReacted, selectReactionsOf } =
  reactionStore('channel_reactions');

/** The reactions of a user after a place, in the order of messages and emoji. */
export async function selectReactionsAfter(
  db: Reader,
  userId: Id,
  { after, limit }: { readonly after: ReactionPlace | undefined; readonly limit: number },
): Promise<readonly (ReactionPlace & { readonly reactedAtMs: number })[]> {
  const all = db
    .selectFrom('channel_reactions')
    .select(['channel_id', 'message_id', 'emoji', 'reacted_at_ms'])
    .where('user_id', '=', userId);
  const some =
    after === undefined
      ? all
      : all.where((eb) =>
          eb(eb.refTuple('message_id', 'emoji'), '>', eb.tuple(after.messageId, after.emoji)),
        );
  const rows = await some.orderBy('message_id').orderBy('emoji').limit(limit).execute();
  return rows.map((row) => ({
    channelId: row.channel_id,
    messageId: row.message_id,
    emoji: row.emoji,
    reactedAtMs: row.reacted_at_ms,
  }));
}
