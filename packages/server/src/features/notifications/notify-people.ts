import { userStream, type Id, type Notification, type UserSummary } from '@hearth/protocol';
import { MOST_NOTIFICATIONS } from '@hearth/protocol/schemas';
import type { Emitted, EmittingTransaction } from '../../ports/outbox/outbox.ts';
import { deleteOld, insertNotifications } from './store.ts';

/** A new message, and whom it concerns by name: all of them see it. */
export interface Concerning {
  readonly id: Id;
  readonly communityId: Id;
  readonly channelId: Id;
  readonly author: UserSummary;
  readonly createdAtMs: number;
  readonly mentioned: readonly Id[];
  /** Who wrote the message that it replies to. */
  readonly repliedTo: Id | undefined;
}

/** Notifies people of a message that mentions them or replies to one of theirs, but not its author. */
export async function notifyPeople(tx: EmittingTransaction, message: Concerning): Promise<void> {
  const { id, communityId, channelId, author, createdAtMs } = message;
  const concerned = new Set([
    ...message.mentioned,
    ...(message.repliedTo ? [message.repliedTo] : []),
  ]);
  concerned.delete(author.id);
  if (concerned.size === 0) return;
  const mentioned = new Set(message.mentioned);
  const about = { id, communityId, channelId, authorId: author.id, createdAtMs };
  // Always in the same order, so that two messages that notify the same people do not deadlock.
  const notifications = [...concerned].toSorted().map((userId) => {
    return { ...about, userId, kind: mentioned.has(userId) ? 'mention' : 'reply' } as const;
  });
  await insertNotifications(tx.sql, notifications);
  const emitted = notifications.map(({ userId, kind }): Emitted => {
    const d: Notification = {
      id,
      kind,
      user: author,
      community_id: communityId,
      channel_id: channelId,
      message_id: id,
      created_at: createdAtMs,
    };
    const stream = userStream(userId);
    return [{ stream, event: { op: 'NOTIFICATION_CREATE', d } }, { subject: stream }];
  });
  // First, because this locks what makes two messages that notify the same people wait for each other.
  await tx.emitAll(emitted);
  await deleteOld(tx.sql, message, MOST_NOTIFICATIONS);
}
