import { compareIds, type Id, type Notification, type NotificationQuery } from '@hearth/protocol';
import { MOST_NOTIFICATIONS } from '@hearth/protocol/schemas';
import type { Account } from '../../../actor.ts';
import type { Context } from '../../../context.ts';
import type { IdRange } from '../../../ports/database/id-range.ts';
import type { KeepsCommunities, KeepsMembers } from '../../communities/structure/structure.ts';
import { visibleThings, type HasPlaces } from '../places/places.ts';
import { findMarks } from '../read-states/read-states.ts';
import { requireReader, type KeepsUsers } from '../../accounts/users/users.ts';
import { describeNotification } from './describe-notification.ts';
import type { HasNotifiedTexts } from './notified-texts.ts';
import { selectNotificationMark, selectNotifications, type StoredNotification } from './store.ts';
import { wordsOf, type Words } from './words.ts';

/** The context that it takes to list notifications. */
export interface ListContext
  extends
    Pick<Context, 'database'>,
    HasNotifiedTexts,
    HasPlaces,
    KeepsCommunities,
    KeepsMembers,
    KeepsUsers {}

/** The notifications of the caller, with words. Those about what was deleted or is in channels that they do not see are left out. */
export async function listNotifications(
  ctx: Context & ListContext,
  actor: Account,
  query: NotificationQuery,
): Promise<readonly Notification[]> {
  await requireReader(ctx, actor);
  return await notificationsOf(ctx, actor.user_id, query);
}

/** The notifications of a user about channels that they see, the newest first; all of them if no range is given. */
export async function notificationsOf(
  ctx: ListContext,
  userId: Id,
  { after, before, limit }: IdRange = { limit: MOST_NOTIFICATIONS },
): Promise<readonly Notification[]> {
  const { reader } = ctx.database;
  const found: Found[] = [];
  const isUpwards = after !== undefined && before === undefined;
  let range = { after, before };
  for (let isMore = true; isMore && found.length < limit;) {
    const some = await selectNotifications(reader, userId, { ...range, limit });
    found.push(...(await readable(ctx, some)));
    const last = some.at(-1)?.id;
    isMore = some.length === limit;
    range = isUpwards ? { after: last, before } : { after, before: last };
  }
  const page = found.slice(0, limit);
  return await describe(ctx, userId, isUpwards ? page.toReversed() : page);
}

/** A notification, and what its user sees of what it is about. */
interface Found {
  readonly notification: StoredNotification;
  readonly words: Words;
}

/** Returns the notifications about something that is there, and that the user sees. */
async function readable(
  ctx: ListContext,
  notifications: readonly StoredNotification[],
): Promise<readonly Found[]> {
  const seen = await visibleThings(ctx, notifications);
  const wordsById = await wordsOf(ctx, [...seen]);
  return notifications
    .filter((each) => seen.has(each))
    .flatMap((notification) => {
      const words = wordsById.get(notification.id);
      return words === undefined ? [] : [{ notification, words }];
    });
}

async function describe(
  { database, users }: Pick<Context, 'database'> & KeepsUsers,
  userId: Id,
  found: readonly Found[],
): Promise<readonly Notification[]> {
  if (found.length === 0) return [];
  const mark = await selectNotificationMark(database.reader, userId);
  const marks = await findMarks(database.reader, userId);
  const people = await users.all(found.map(({ notification }) => notification.authorId));
  const isUpTo = (id: Id, last: Id | undefined) => last !== undefined && compareIds(id, last) <= 0;
  return found.map(({ notification, words }) => {
    const { id, postId, channelId, isRead } = notification;
    // The mark of a channel says which messages and posts were read, and nothing of comments.
    const isOfChannel = postId === '' || postId === id;
    const isMarked = isUpTo(id, mark) || (isOfChannel && isUpTo(id, marks.get(channelId)));
    return {
      ...describeNotification(notification, people),
      ...words,
      ...((isRead || isMarked) && { read: true as const }),
    };
  });
}
