import type { Id, LobbyMessage } from '@hearth/protocol';
import type { Writer } from '../../../../ports/database/database.ts';
import { noteChanged } from '../../index-queue/index-queue.ts';
import { deleteReactionsTo } from '../../reactions/reactions.ts';
import { groupOf, messagesText } from '../message-groups.ts';

/** A message that nothing else changes until the transaction ends. */
export interface LockedMessage {
  readonly message: LobbyMessage;
  readonly number: number;
  /** Which row it is in, and the messages of that row. */
  readonly firstId: Id;
  readonly messages: readonly (LobbyMessage | null)[];
}

/** The version of a message, which each change raises by one. */
export function versionOf({ version = 1 }: LobbyMessage): number {
  return version;
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
    await deleteReactionsTo(db, those);
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
  await deleteReactionsTo(db, [id]);
  await noteChanged(db, 'lobby', [id]);
}
