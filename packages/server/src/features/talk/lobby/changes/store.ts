import type { Id, LobbyMessage } from '@hearth/protocol';
import type { Reader, Writer } from '../../../../ports/database/database.ts';
import { noteChanged } from '../../index-queue/index-queue.ts';
import { reactionStore } from '../../reactions/reactions.ts';
import { groupOf, messagesText } from '../message-groups.ts';

/** A message that nothing else changes until the transaction ends. */
export interface LockedMessage {
  readonly message: LobbyMessage;
  readonly number: number;
  /** Which row it is in, and the messages of that row. */
  readonly firstId: Id;
  readonly messages: readonly (LobbyMessage | null)[];
}

export interface ReactionPlace {
  readonly messageId: Id;
  readonly emoji: string;
}

/** Locks a message that is written. Undefined if there is none with this id. */
export async function lockMessage(db: Writer, id: Id): Promise<LockedMessage | undefined> {
  const row = await db
    .selectFrom('message_groups')
    .select(['first_id', 'last_number', 'messages'])
    .where('first_id', '<=', id)
    .orderBy('first_id', 'desc')
    .limit(1)
    .forUpdate()
    .executeTakeFirst();
  if (row === undefined) return undefined;
  const { lastNumber, messages } = groupOf(row);
  const index = messages.findIndex((message) => message?.id === id);
  const message = messages[index] ?? undefined;
  if (message === undefined) return undefined;
  const number = lastNumber - messages.length + 1 + index;
  return { message, number, firstId: row.first_id, messages };
}

/**
 * Stores a message in place of one that is locked. Without one, the place is empty: its number stays, so that no message
 * that was beyond the limit comes back in its place.
 */
export async function replaceMessage(
  db: Writer,
  { message: { id }, firstId, messages }: LockedMessage,
  replacement: LobbyMessage | null,
): Promise<void> {
  const left = messages.map((message) => (message?.id === id ? replacement : message));
  await db
    .updateTable('message_groups')
    .set({ messages: messagesText(left) })
    .where('first_id', '=', firstId)
    .execute();
}

/** Removes a message and the reactions to it; false if there is none with this id. */
export async function eraseMessage(db: Writer, id: Id): Promise<boolean> {
  const locked = await lockMessage(db, id);
  if (locked === undefined) return false;
  await eraseLocked(db, locked);
  return true;
}

/**
 * Removes several messages, with three statements for each row that they are in. Returns those that were there, in
 * their order.
 */
export async function eraseMessages(db: Writer, ids: readonly Id[]): Promise<readonly Id[]> {
  const left = new Set(ids);
  const erased = new Set<Id>();
  for (const id of ids) {
    if (!left.has(id)) continue;
    left.delete(id);
    const locked = await lockMessage(db, id);
    if (locked === undefined) continue;
    const { firstId, messages } = locked;
    const isErased = (message: LobbyMessage | null) =>
      message !== null && (message.id === id || left.has(message.id));
    const those = messages.flatMap((message) =>
      message !== null && isErased(message) ? [message.id] : [],
    );
    const kept = messages.map((message) => (isErased(message) ? null : message));
    await db
      .updateTable('message_groups')
      .set({ messages: messagesText(kept) })
      .where('first_id', '=', firstId)
      .execute();
    await db.deleteFrom('message_reactions').where('message_id', 'in', those).execute();
    await noteChanged(db, 'lobby', those);
    for (const each of those) {
      left.delete(each);
      erased.add(each);
    }
  }
  return ids.filter((id) => erased.has(id));
}

/** Removes a message that is locked, and the reactions to it. */
export async function eraseLocked(db: Writer, locked: LockedMessage): Promise<void> {
  const { id } = locked.message;
  await replaceMessage(db, locked, null);
  await deleteReactions(db, id);
  await noteChanged(db, 'lobby', [id]);
}

/** Notes a reaction; false if the user has reacted so before. */
export async function insertReaction(
  db: Writer,
  { messageId, emoji }: ReactionPlace,
  { userId, nowMs }: { readonly userId: Id; readonly nowMs: number },
): Promise<boolean> {
  const row = await db
    .insertInto('message_reactions')
    .values({
      message_id: messageId,
      emoji,
      user_id: userId,
      reacted_at_ms: nowMs,
    })
    .onConflict((conflict) => conflict.columns(['message_id', 'emoji', 'user_id']).doNothing())
    .returning('emoji')
    .executeTakeFirst();
  return row !== undefined;
}

export const { deleteReaction, selectReacted, selectReactionsOf } =
  reactionStore('message_reactions');

/** The reactions of a user after a place, in the order of messages and emoji. */
export async function selectReactionsAfter(
  db: Reader,
  userId: Id,
  { after, limit }: { readonly after: ReactionPlace | undefined; readonly limit: number },
): Promise<readonly (ReactionPlace & { readonly reactedAtMs: number })[]> {
  const all = db
    .selectFrom('message_reactions')
    .select(['message_id', 'emoji', 'reacted_at_ms'])
    .where('user_id', '=', userId);
  const later = after && { id: after.messageId, emoji: after.emoji };
  const some =
    later === undefined
      ? all
      : all.where((eb) =>
          eb(eb.refTuple('message_id', 'emoji'), '>', eb.tuple(later.id, later.emoji)),
        );
  const rows = await some.orderBy('message_id').orderBy('emoji').limit(limit).execute();
  return rows.map(({ message_id: id, emoji, reacted_at_ms: reactedAtMs }) => ({
    messageId: id,
    emoji,
    reactedAtMs: Number(reactedAtMs),
  }));
}

/** Deletes reactions to messages that are deleted: at most `limit`. Returns how many there were. */
export async function deleteOldReactions(db: Writer, limit: number): Promise<number> {
  const oldest = await db
    .selectFrom('message_groups')
    .select('first_id')
    .orderBy('first_id')
    .limit(1)
    .executeTakeFirst();
  let query = db
    .selectFrom('message_reactions')
    .select(['message_id', 'emoji', 'user_id'])
    .orderBy('message_id')
    .limit(limit);
  if (oldest !== undefined) query = query.where('message_id', '<', oldest.first_id);
  const rows = await query.execute();
  for (const { message_id: id, emoji, user_id: userId } of rows) {
    await db
      .deleteFrom('message_reactions')
      .where('message_id', '=', id)
      .where('emoji', '=', emoji)
      .where('user_id', '=', userId)
      .execute();
  }
  return rows.length;
}

async function deleteReactions(db: Writer, messageId: Id): Promise<void> {
  await db.deleteFrom('message_reactions').where('message_id', '=', messageId).execute();
}
