import type { Id } from '@hearth/protocol';
import type { Reader, Writer } from '../../../ports/database/database.ts';
import { NO_ID, storedId } from '../../../ports/database/stored-id.ts';

/** A message, and an emoji that people react with. */
export interface Reacted {
  readonly messageId: Id;
  readonly emoji: string;
}

/** The reaction of somebody. */
export interface StoredReaction extends Reacted {
  /** NO_ID for a message of the lobby. */
  readonly channelId: Id;
  readonly reactedAtMs: number;
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
  userId: Id,
  { messageId, emoji, channelId, reactedAtMs }: StoredReaction,
): Promise<boolean> {
  const row = await db
    .insertInto('message_reactions')
    .values({
      message_id: messageId,
      emoji,
      user_id: userId,
      channel_id: channelId,
      reacted_at_ms: reactedAtMs,
    })
    .onConflict((conflict) => conflict.columns(['message_id', 'emoji', 'user_id']).doNothing())
    .returning('emoji')
    .executeTakeFirst();
  return row !== undefined;
}

/** Deletes a user's reaction; false if there was none. */
export async function deleteReaction(
  db: Writer,
  userId: Id,
  { messageId, emoji }: Reacted,
): Promise<boolean> {
  const row = await db
    .deleteFrom('message_reactions')
    .where('message_id', '=', messageId)
    .where('emoji', '=', emoji)
    .where('user_id', '=', userId)
    .returning('emoji')
    .executeTakeFirst();
  return row !== undefined;
}

/** Deletes all reactions to these messages. */
export async function deleteReactionsTo(db: Writer, messageIds: readonly Id[]): Promise<void> {
  await db.deleteFrom('message_reactions').where('message_id', 'in', messageIds).execute();
}

/**
 * Deletes reactions to messages of the lobby that came before one, or to all of them: at most `limit`. Returns how many there
 * were.
 */
export async function deleteLobbyReactions(
  db: Writer,
  before: Id | undefined,
  limit: number,
): Promise<number> {
  let query = db
    .selectFrom('message_reactions')
    .select(['message_id', 'emoji', 'user_id'])
    .where('channel_id', '=', NO_ID)
    .orderBy('message_id')
    .limit(limit);
  if (before !== undefined) query = query.where('message_id', '<', before);
  const rows = await query.execute();
  for (const { message_id: messageId, emoji, user_id: userId } of rows) {
    await deleteReaction(db, userId, { messageId, emoji });
  }
  return rows.length;
}

/** The users who reacted to a message with an emoji, the newest account first. */
export async function selectReacted(
  db: Reader,
  { messageId, emoji }: Reacted,
  { after, before, limit }: ReactedRange,
): Promise<readonly Id[]> {
  let query = db
    .selectFrom('message_reactions')
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
    .selectFrom('message_reactions')
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
  { after, limit }: { readonly after: Reacted | undefined; readonly limit: number },
): Promise<readonly StoredReaction[]> {
  let query = db
    .selectFrom('message_reactions')
    .select(['channel_id', 'message_id', 'emoji', 'reacted_at_ms'])
    .where('user_id', '=', userId);
  if (after !== undefined) {
    query = query.where((eb) =>
      eb(eb.refTuple('message_id', 'emoji'), '>', eb.tuple(after.messageId, after.emoji)),
    );
  }
  const rows = await query.orderBy('message_id').orderBy('emoji').limit(limit).execute();
  return rows.map((row) => ({
    channelId: storedId(row.channel_id),
    messageId: row.message_id,
    emoji: row.emoji,
    reactedAtMs: Number(row.reacted_at_ms),
  }));
}
