import { compareIds, type Id, type Notification, type NotificationQuery } from '@hearth/protocol';
import { MOST_NOTIFICATIONS } from '@hearth/protocol/schemas';
import type { User } from '../../actor.ts';
import type { IdRange } from '../../ports/database/id-range.ts';
import { sightOf } from '../audiences/sight.ts';
import type { CommunityContext } from '../communities/community-context.ts';
import { findMarks } from '../read-states/find-read-states.ts';
import { requireReader } from '../users/require-reader.ts';
import { describeSubject } from './describe-subject.ts';
import { selectNotificationMark, selectNotifications, type StoredNotification } from './store.ts';

/** The notifications of the caller, the newest first. Those about channels that the caller does not see are left out. */
export async function listNotifications(
  ctx: CommunityContext,
  actor: User,
  query: NotificationQuery,
): Promise<readonly Notification[]> {
  await requireReader(ctx, actor);
  return await notificationsOf(ctx, actor.user_id, query);
}

/** The notifications of a user about channels that they see, the newest first; all of them if no range is given. */
export async function notificationsOf(
  ctx: CommunityContext,
  userId: Id,
  { after, before, limit }: IdRange = { limit: MOST_NOTIFICATIONS },
): Promise<readonly Notification[]> {
  const { reader } = ctx.database;
  const found: StoredNotification[] = [];
  const isUpwards = after !== undefined && before === undefined;
  let range = { after, before };
  for (let isMore = true; isMore && found.length < limit;) {
    const some = await selectNotifications(reader, userId, { ...range, limit });
    const sight = await sightOf(ctx, userId, some);
    found.push(...some.filter((each) => sight(each) !== undefined));
    const last = some.at(-1)?.id;
    isMore = some.length === limit;
    range = isUpwards ? { after: last, before } : { after, before: last };
  }
  const page = found.slice(0, limit);
  return await describe(ctx, userId, isUpwards ? page.toReversed() : page);
}

async function describe(
  { database, users }: CommunityContext,
  userId: Id,
  notifications: readonly StoredNotification[],
): Promise<readonly Notification[]> {
  if (notifications.length === 0) return [];
  const mark = await selectNotificationMark(database.reader, userId);
  const marks = await findMarks(database.reader, userId);
  const people = await users.all(notifications.map(({ authorId }) => authorId));
  const isUpTo = (id: Id, last: Id | undefined) => last !== undefined && compareIds(id, last) <= 0;
  return notifications.map((notification) => {
    const { id, kind, postId, communityId, channelId, authorId, createdAtMs } = notification;
    const user = people.get(authorId);
    // The mark of a channel says which messages and posts were read, and nothing of comments.
    const isOfChannel = postId === '' || postId === id;
    const isRead = isUpTo(id, mark) || (isOfChannel && isUpTo(id, marks.get(channelId)));
    return {
      id,
      kind,
      ...(user !== undefined && { user }),
      community_id: communityId,
      channel_id: channelId,
      ...describeSubject(notification),
      created_at: createdAtMs,
      ...(isRead && { read: true as const }),
    };
  });
}
