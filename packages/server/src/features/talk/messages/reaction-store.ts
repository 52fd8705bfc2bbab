import type { Id } from '@hearth/protocol';
import type { Reader, Writer } from '../../../ports/database/database.ts';

/** A message, and an emoji that people react with. */
export interface ReactionPlace {
  readonly channelId: Id;
  readonly messageId: Id;
  readonly emoji: string;
}

/** Which of the people who reacted: the newest accounts of those between two places. */
export interface ReactedRange {
  readonly after?: Id | undefined;
  readonly before?: Id | undefined;
  readonly limit: number;
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

/** Deletes a user's reaction; false if there was none. */
export async function deleteReaction(
  db: Writer,
  { messageId, emoji }: ReactionPlace,
  userId: Id,
): Promise<boolean> {
  const row = await db
    .deleteFrom('channel_reactions')
    .where('message_id', '=', messageId)
    .where('emoji', '=', emoji)
    .where('user_id', '=', userId)
    .returning('emoji')
    .executeTakeFirst();
  return row !== undefined;
}

/** The users who reacted to a message with an emoji, the newest account first. */
export async function selectReacted(
  db: Reader,
  { messageId, emoji }: ReactionPlace,
  { after, before, limit }: ReactedRange,
): Promise<readonly Id[]> {
  let query = db
    .selectFrom('channel_reactions')
    .select('user_id')
    .where('message_id', '=', messageId)
    .where('emoji', '=', emoji);
  if (after !== undefined) query = query.where('user_id', '>', after);
  if (before !== undefined) query = query.where('user_id', '<', before);
  // Those right after a place are the first ones after it, as in the lists of messages.
  const isUpwards = after !== undefined && before === undefined;
  const rows = await query
    .orderBy('user_id', isUpwards ? 'asc' : 'desc')
    .limit(limit)
    .execute();
  const ids = rows.map((row) => row.user_id);
  return isUpwards ? ids.toReversed() : ids;
}

/** With which emoji a user reacted to these messages. */
export async function selectReactionsOf(
  db: Reader,
  userId: Id,
  messageIds: readonly Id[],
): Promise<ReadonlyMap<Id, ReadonlySet<string>>> {
  const found = new Map<Id, Set<string>>();
  if (messageIds.length === 0) return found;
  const rows = await db
    .selectFrom('channel_reactions')
    .select(['message_id', 'emoji'])
    .where('user_id', '=', userId)
    .where('message_id', 'in', messageIds)
    .execute();
  for (const { message_id: id, emoji } of rows) {
    found.getOrInsertComputed(id, () => new Set()).add(emoji);
  }
  return found;
}

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
