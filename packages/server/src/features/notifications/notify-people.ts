import { userStream, type Id, type UserSummary } from '@hearth/protocol';
import { MOST_NOTIFICATIONS } from '@hearth/protocol/schemas';
import type { Emitted, EmittingTransaction } from '../../ports/outbox/outbox.ts';
import { describeNotification } from './describe-notification.ts';
import { deleteOld, insertNotifications } from './store.ts';

/** A new message, post or comment, and whom it concerns by name: all of them see it. */
export interface Concerning {
  readonly id: Id;
  /** The post that it is, or belongs to; none for a message. */
  readonly postId?: Id;
  readonly communityId: Id;
  readonly channelId: Id;
  readonly author: UserSummary;
  readonly createdAtMs: number;
  readonly mentioned: readonly Id[];
  /** Who wrote what it replies to. */
  readonly repliedTo: Id | undefined;
}

/** Notifies people of something that mentions them or replies to something of theirs, but not its author. */
export async function notifyPeople(tx: EmittingTransaction, message: Concerning): Promise<void> {
  const { id, communityId, channelId, author, createdAtMs } = message;
  const concerned = new Set([
    ...message.mentioned,
    ...(message.repliedTo ? [message.repliedTo] : []),
  ]);
  concerned.delete(author.id);
  if (concerned.size === 0) return;
  const mentioned = new Set(message.mentioned);
  const postId: Id | '' = message.postId ?? '';
  const about = { id, postId, communityId, channelId, authorId: author.id, createdAtMs };
  // Always in the same order, so that two messages that notify the same people do not deadlock.
  const notifications = [...concerned].toSorted().map((userId) => {
    const kind = mentioned.has(userId) ? 'mention' : 'reply';
    return { ...about, userId, kind, isRead: false } as const;
  });
  await insertNotifications(tx.sql, notifications);
  const emitted = notifications.map(({ userId, kind }): Emitted => {
    const d = describeNotification({ ...about, kind }, new Map([[author.id, author]]));
    const stream = userStream(userId);
    return [{ stream, event: { op: 'NOTIFICATION_CREATE', d } }, { subject: stream }];
  });
  // First, because this locks what makes two messages that notify the same people wait for each other.
  await tx.emitAll(emitted);
  await deleteOld(tx.sql, message, MOST_NOTIFICATIONS);
}
