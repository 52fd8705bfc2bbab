import { compareIds, userStream, type NotificationMark } from '@hearth/protocol';
import type { Account } from '../../../actor.ts';
import type { Context } from '../../../context.ts';
import { raiseNotificationMark, selectNotificationMark, selectNotifications } from './store.ts';

/** Marks all notifications up to one as read. An older mark is ignored, and the newest notification is the greatest. */
export async function markNotifications(
  { database }: Pick<Context, 'database'>,
  { user_id: userId }: Account,
  { last_read_id: given }: NotificationMark,
): Promise<NotificationMark> {
  const { reader } = database;
  const [newest] = await selectNotifications(reader, userId, { limit: 1 });
  const current = await selectNotificationMark(reader, userId);
  const mark = newest === undefined || compareIds(given, newest.id) < 0 ? given : newest.id;
  const isForward = current === undefined || compareIds(mark, current) > 0;
  if (newest === undefined || !isForward) return { last_read_id: current ?? mark };
  return await database.transaction(async (tx) => {
    const hasMoved = await raiseNotificationMark(tx.sql, userId, mark);
    if (!hasMoved) {
      return { last_read_id: (await selectNotificationMark(tx.sql, userId)) ?? mark };
    }
    const stream = userStream(userId);
    const d = { last_read_id: mark };
    await tx.emit({ stream, event: { op: 'NOTIFICATION_READ', d } }, { subject: stream });
    return d;
  });
}
