import { userStream, type Id, type Notification } from '@hearth/protocol';
import type { Emitted, EmittingTransaction } from '../../../ports/outbox/outbox.ts';
import type { KnownUsers } from '../../accounts/users/users.ts';
import { describeNotification } from './describe-notification.ts';
import { selectNotificationMark, selectUnreadOf, setRead } from './store.ts';

/** Marks what notifies somebody of a post and its comments as read. */
export async function readNotificationsOfPost(
  tx: EmittingTransaction,
  users: Pick<KnownUsers, 'all'>,
  { userId, postId }: { readonly userId: Id; readonly postId: Id },
): Promise<void> {
  const mark = await selectNotificationMark(tx.sql, userId);
  const unread = await selectUnreadOf(tx.sql, { userId, postId, mark });
  if (unread.length === 0) return;
  const people = await users.all(unread.map(({ authorId }) => authorId));
  const stream = userStream(userId);
  const emitted = unread.map((each): Emitted => {
    const d: Notification = { ...describeNotification(each, people), read: true };
    return [{ stream, event: { op: 'NOTIFICATION_UPDATE', d } }, { subject: stream }];
  });
  await tx.emitAll(emitted);
  // Something new that notifies the same person removes old ones before this, or after it.
  await tx.takeNumbers();
  await setRead(
    tx.sql,
    userId,
    unread.map(({ id }) => id),
  );
}
