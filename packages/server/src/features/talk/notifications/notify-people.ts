import type { Id, UserSummary } from '@hearth/protocol';
import type { EmittingTransaction } from '../../../ports/outbox/outbox.ts';
import { insertNotifications, type StoredNotification } from './store.ts';
import type { UnsentNotifications } from './unsent-notifications.ts';

/** A new message, post or comment, and whom it concerns by name: all of them see it. */
export interface Concerning {
  readonly id: Id;
  /** The post that it is, or belongs to; none for a message. */
  readonly postId?: Id;
  /** Empty outside of communities. */
  readonly communityId: Id | '';
  readonly channelId: Id;
  readonly author: Pick<UserSummary, 'id'>;
  readonly createdAtMs: number;
  readonly mentioned: readonly Id[];
  /** The author of what it replies to. */
  readonly repliedTo: Id | undefined;
}

/**
 * Stores what notifies people of messages, posts or comments that mention them or reply to something of theirs, but not their
 * authors. It is sent to their devices after the commit.
 */
export async function notifyPeople(
  tx: EmittingTransaction,
  { unsentNotifications }: { readonly unsentNotifications: UnsentNotifications },
  messages: readonly Concerning[],
): Promise<void> {
  const notifications = messages.flatMap(notificationsOf);
  if (notifications.length === 0) return;
  await insertNotifications(tx, notifications);
  tx.afterCommit(() => unsentNotifications.note(notifications));
}

function notificationsOf(message: Concerning): readonly Omit<StoredNotification, 'isRead'>[] {
  const { id, communityId, channelId, author, createdAtMs } = message;
  const mentioned = new Set(message.mentioned);
  const concerned = new Set(mentioned);
  if (message.repliedTo !== undefined) concerned.add(message.repliedTo);
  concerned.delete(author.id);
  const postId: Id | '' = message.postId ?? '';
  const about = { id, postId, communityId, channelId, authorId: author.id, createdAtMs };
  return Array.from(concerned, (userId) => {
    const kind = mentioned.has(userId) ? 'mention' : 'reply';
    return { ...about, userId, kind };
  });
}
