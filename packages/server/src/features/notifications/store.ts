import type { Id, NotificationKind } from '@hearth/protocol';
import type { Reader, Writer } from '../../ports/database/database.ts';
import { rowsBetween, type IdRange } from '../../ports/database/id-range.ts';
import { idIn, sortable } from '../../ports/database/sortable-id.ts';
import { storedId } from '../../ports/database/stored-id.ts';
import type { Subject } from './describe-subject.ts';
import type { NotificationsTable } from './tables.ts';

/** A notification as it is stored: about a message, post or comment, whose id it has. */
export interface StoredNotification extends Subject {
  readonly userId: Id;
  readonly kind: NotificationKind;
  readonly communityId: Id;
  readonly channelId: Id;
  readonly authorId: Id;
  readonly createdAtMs: number;
  /** True if the user has read the post that it is about, with its comments. */
  readonly isRead: boolean;
}

/** Adds notifications. */
export async function insertNotifications(
  db: Writer,
  notifications: readonly StoredNotification[],
): Promise<void> {
  await db
    .insertInto('notifications')
    .values(
      notifications.map((each) => ({
        user_id: each.userId,
        id: sortable(each.id),
        kind: each.kind,
        community_id: each.communityId,
        channel_id: each.channelId,
        author_id: each.authorId,
        post_id: each.postId,
        created_at_ms: each.createdAtMs,
        read: each.isRead ? 1 : 0,
      })),
    )
    .execute();
}

/** Removes all but the newest notifications of everyone who is notified of a message. */
export async function deleteOld(
  db: Writer,
  { id, channelId }: Pick<StoredNotification, 'id' | 'channelId'>,
  kept: number,
): Promise<void> {
  await db
    .deleteFrom('notifications')
    .where((own) =>
      own(
        own.refTuple('user_id', 'id'),
        'in',
        own
          .selectFrom((from) =>
            from
              .selectFrom('notifications as newest')
              .select((each) => [
                'newest.user_id',
                each
                  .selectFrom('notifications as kept')
                  .select('kept.id')
                  .whereRef('kept.user_id', '=', 'newest.user_id')
                  .orderBy('kept.id', 'desc')
                  .limit(1)
                  .offset(kept)
                  .as('last'),
              ])
              .where('newest.channel_id', '=', channelId)
              .where('newest.id', '=', sortable(id))
              .as('bounds'),
          )
          .innerJoin('notifications as old', (join) =>
            join.onRef('old.user_id', '=', 'bounds.user_id').onRef('old.id', '<=', 'bounds.last'),
          )
          .select(['old.user_id', 'old.id'])
          .$asTuple('user_id', 'id'),
      ),
    )
    .execute();
}

/** The notifications of a range, the newest first, or the oldest first if it only begins after one. */
export async function selectNotifications(
  db: Reader,
  userId: Id,
  range: IdRange,
): Promise<readonly StoredNotification[]> {
  const own = db.selectFrom('notifications').selectAll().where('user_id', '=', userId);
  return (await rowsBetween(own, range)).map(notificationOf);
}

function notificationOf(row: NotificationsTable): StoredNotification {
  return {
    userId: storedId(row.user_id),
    id: idIn(row.id),
    kind: row.kind,
    communityId: storedId(row.community_id),
    channelId: storedId(row.channel_id),
    authorId: storedId(row.author_id),
    postId: row.post_id === '' ? '' : storedId(row.post_id),
    createdAtMs: Number(row.created_at_ms),
    isRead: row.read === 1,
  };
}

/** The notifications of a user about a post and its comments that are newer than `mark` and were not read, the oldest first. */
export async function selectUnreadOf(
  db: Reader,
  {
    userId,
    postId,
    mark,
  }: { readonly userId: Id; readonly postId: Id; readonly mark: Id | undefined },
): Promise<readonly StoredNotification[]> {
  const rows = await db
    .selectFrom('notifications')
    .selectAll()
    .where('user_id', '=', userId)
    .where('post_id', '=', postId)
    .where('id', '>', mark === undefined ? '' : sortable(mark))
    .where('read', '=', 0)
    .orderBy('id')
    .execute();
  return rows.map(notificationOf);
}

/** Notes that a user has read notifications. */
export async function setRead(db: Writer, userId: Id, ids: readonly Id[]): Promise<void> {
  await db
    .updateTable('notifications')
    .set({ read: 1 })
    .where('user_id', '=', userId)
    .where('id', 'in', ids.map(sortable))
    .execute();
}

/** Removes the notifications about messages, posts or comments of a channel. */
export async function deleteAbout(
  db: Writer,
  channelId: Id,
  messageIds: readonly Id[],
): Promise<void> {
  const ids = messageIds.map(sortable);
  // In the order in which a message that notifies several people removes their old ones.
  await db
    .selectFrom('notifications')
    .select('id')
    .where('channel_id', '=', channelId)
    .where('id', 'in', ids)
    .orderBy('user_id')
    .orderBy('id')
    .forUpdate()
    .execute();
  await db
    .deleteFrom('notifications')
    .where('channel_id', '=', channelId)
    .where('id', 'in', ids)
    .execute();
}

/** Removes the notifications of a user about a community. */
export async function deleteIn(
  db: Writer,
  { userId, communityId }: Pick<StoredNotification, 'userId' | 'communityId'>,
): Promise<void> {
  // In the same order as above.
  await db
    .selectFrom('notifications')
    .select('id')
    .where('user_id', '=', userId)
    .where('community_id', '=', communityId)
    .orderBy('id')
    .forUpdate()
    .execute();
  await db
    .deleteFrom('notifications')
    .where('user_id', '=', userId)
    .where('community_id', '=', communityId)
    .execute();
}

/** How far a user has read the notifications; undefined if they never marked any. */
export async function selectNotificationMark(db: Reader, userId: Id): Promise<Id | undefined> {
  const row = await db
    .selectFrom('notification_marks')
    .select('last_read_id')
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return row && idIn(row.last_read_id);
}

/** Moves the mark of a user forward; false if it is there, or further. */
export async function raiseNotificationMark(
  db: Writer,
  userId: Id,
  lastReadId: Id,
): Promise<boolean> {
  const mark = { last_read_id: sortable(lastReadId) };
  const row = await db
    .insertInto('notification_marks')
    .values({ user_id: userId, ...mark })
    .onConflict((conflict) =>
      conflict
        .column('user_id')
        .doUpdateSet(mark)
        .where('notification_marks.last_read_id', '<', mark.last_read_id),
    )
    .returning('user_id')
    .executeTakeFirst();
  return row !== undefined;
}
