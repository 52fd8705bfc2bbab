import { compareIds, type Id, type NotificationKind } from '@hearth/protocol';
import { MOST_NOTIFICATIONS } from '@hearth/protocol/schemas';
import type {
  ManyStatement,
  Reader,
  Transaction,
  Writer,
} from '../../../ports/database/database.ts';
import { rowsBetween, type IdRange } from '../../../ports/database/id-range.ts';
import { NO_ID } from '../../../ports/database/stored-id.ts';
import type { Subject } from './describe-subject.ts';
import type { NotificationsTable } from './tables.ts';
import type { UnsentNotification } from './unsent-notifications.ts';

/** A notification as it is stored: about a message, post or comment, whose id it has. */
export interface StoredNotification extends Subject {
  readonly userId: Id;
  readonly kind: NotificationKind;
  /** Empty outside of communities. */
  readonly communityId: Id | '';
  readonly channelId: Id;
  readonly authorId: Id;
  readonly createdAtMs: number;
  /** True if the user has read the post that it is about, with its comments. */
  readonly isRead: boolean;
}

const INSERT = `insert into notifications
    (user_id, id, kind, community_id, channel_id, author_id, post_id, created_at_ms, read, sent)
  select user_id, id, kind, community_id, channel_id, author_id, post_id, created_at_ms, 0, 0 from given`;

const INSERTED = {
  user_id: 'text',
  id: 'text',
  kind: 'text',
  community_id: 'text',
  channel_id: 'text',
  author_id: 'text',
  post_id: 'text',
  created_at_ms: 'bigint',
} as const;

/** Adds notifications that nobody has read, and that are to be sent. */
export async function insertNotifications(
  tx: Transaction,
  notifications: readonly Omit<StoredNotification, 'isRead'>[],
): Promise<void> {
  await tx.runMany({
    text: INSERT,
    columns: INSERTED,
    rows: notifications.map((each) => [
      each.userId,
      each.id,
      each.kind,
      each.communityId,
      each.channelId,
      each.authorId,
      each.postId,
      each.createdAtMs,
    ]),
  });
}

const KEY = { user_id: 'text', id: 'text' } as const;

const SELECT_UNSENT = `select notifications.* from given
  join notifications on notifications.user_id = given.user_id and notifications.id = given.id
  where notifications.sent = 0`;

/** Reads the ones of these notifications that were not sent, in the order of their users and ids. */
export async function selectUnsent(
  tx: Transaction,
  unsent: readonly UnsentNotification[],
  { locks }: Pick<ManyStatement, 'locks'> = {},
): Promise<readonly StoredNotification[]> {
  const rows = await tx.many<NotificationsTable>({
    text: SELECT_UNSENT,
    columns: KEY,
    rows: unsent.map(keyOf),
    ...(locks !== undefined && { locks }),
  });
  const ordered = rows.toSorted(
    (one, other) => compareIds(one.user_id, other.user_id) || compareIds(one.id, other.id),
  );
  return ordered.map(notificationOf);
}

/** Reads the ones that were not sent after locking them, without those that somebody else has locked. */
export function lockUnsent(
  tx: Transaction,
  unsent: readonly UnsentNotification[],
): Promise<readonly StoredNotification[]> {
  return selectUnsent(tx, unsent, { locks: 'for update of notifications skip locked' });
}

const SET_SENT = `update notifications set sent = 1
  where (user_id, id) in (select given.user_id, given.id from given)`;

/** Notes that notifications were sent. */
export async function setSent(tx: Transaction, sent: readonly UnsentNotification[]): Promise<void> {
  await tx.runMany({ text: SET_SENT, columns: KEY, rows: sent.map(keyOf) });
}

/** Notifications that nobody has sent, up to so many. */
export async function selectStoredUnsent(
  db: Reader,
  limit: number,
): Promise<readonly UnsentNotification[]> {
  const rows = await db
    .selectFrom('notifications')
    .select(['user_id', 'id', 'community_id', 'channel_id', 'author_id'])
    .where('sent', '=', 0)
    .orderBy('user_id')
    .orderBy('id')
    .limit(limit)
    .execute();
  return rows.map((row) => ({
    userId: row.user_id,
    id: row.id,
    communityId: row.community_id,
    channelId: row.channel_id,
    authorId: row.author_id,
  }));
}

function keyOf({ userId, id }: UnsentNotification): readonly [string, string] {
  return [userId, id];
}

/** The newest notification of each user that is one too many; null if there is none. */
const SELECT_OLD = `select user_id, (
    select kept.id from notifications kept where kept.user_id = given.user_id
    order by kept.id desc limit 1 offset ${MOST_NOTIFICATIONS}
  ) as last_id from given`;

const DELETE_OLD = `delete from notifications where (user_id, id) in (
    select old.user_id, old.id from given
    join notifications old on old.user_id = given.user_id and old.id <= given.last_id
  )`;

/** Removes all but the newest notifications of each user. */
export async function deleteOld(tx: Transaction, userIds: readonly Id[]): Promise<void> {
  const found = await tx.many<{ readonly user_id: string; readonly last_id: string | null }>({
    text: SELECT_OLD,
    columns: { user_id: 'text' },
    rows: userIds.map((id) => [id]),
  });
  await tx.runMany({
    text: DELETE_OLD,
    columns: { user_id: 'text', last_id: 'text' },
    rows: found.flatMap((row) => (row.last_id === null ? [] : [[row.user_id, row.last_id]])),
  });
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
    userId: row.user_id,
    id: row.id,
    kind: row.kind,
    communityId: row.community_id,
    channelId: row.channel_id,
    authorId: row.author_id,
    postId: row.post_id,
    createdAtMs: row.created_at_ms,
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
    .where('id', '>', mark ?? NO_ID)
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
    .where('id', 'in', ids)
    .execute();
}

/** Removes the notifications about messages, posts or comments of a channel. */
export async function deleteAbout(
  db: Writer,
  channelId: Id,
  messageIds: readonly Id[],
): Promise<void> {
  const ids = messageIds;
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

/** Reads how far a user has read the notifications; undefined if they never marked any. */
export async function selectNotificationMark(db: Reader, userId: Id): Promise<Id | undefined> {
  const row = await db
    .selectFrom('notification_marks')
    .select('last_read_id')
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return row && row.last_read_id;
}

/** Moves the mark of a user forward; false if it is there, or further. */
export async function raiseNotificationMark(
  db: Writer,
  userId: Id,
  lastReadId: Id,
): Promise<boolean> {
  const mark = { last_read_id: lastReadId };
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
