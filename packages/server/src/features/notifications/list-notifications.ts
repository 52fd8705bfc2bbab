import { compareIds, type Id, type Notification, type NotificationQuery } from '@hearth/protocol';
import { MOST_NOTIFICATIONS } from '@hearth/protocol/schemas';
import type { User } from '../../actor.ts';
import type { CommunityContext } from '../communities/community-context.ts';
import { readMemberships } from '../members/read-member.ts';
import { sees } from '../messages/resolve-mentions.ts';
import { findMarks } from '../read-states/find-read-states.ts';
import { requireReader } from '../users/require-reader.ts';
import {
  selectNotificationMark,
  selectNotifications,
  type NotificationRange,
  type StoredNotification,
} from './store.ts';

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
  { after, before, limit }: NotificationRange = { limit: MOST_NOTIFICATIONS },
): Promise<readonly Notification[]> {
  const { reader } = ctx.database;
  const isSeen = await sightOf(ctx, userId);
  const found: StoredNotification[] = [];
  const isUpwards = after !== undefined && before === undefined;
  let range = { after, before };
  for (let isMore = true; isMore && found.length < limit;) {
    const some = await selectNotifications(reader, userId, { ...range, limit });
    found.push(...some.filter(isSeen));
    const last = some.at(-1)?.id;
    isMore = some.length === limit;
    range = isUpwards ? { after: last, before } : { after, before: last };
  }
  const page = found.slice(0, limit);
  return await describe(ctx, userId, isUpwards ? page.toReversed() : page);
}

/** Whether a user sees what a notification is about. */
async function sightOf(
  ctx: CommunityContext,
  userId: Id,
): Promise<(notification: StoredNotification) => boolean> {
  const members = await readMemberships(ctx.database.reader, userId);
  const byCommunity = new Map(members.map((member) => [member.communityId, member]));
  const communities = await ctx.communities.all([...byCommunity.keys()]);
  return ({ communityId, channelId }) => {
    const [member, community] = [byCommunity.get(communityId), communities.get(communityId)];
    const channel = community?.channelById.get(channelId);
    if (member === undefined || community === undefined || channel === undefined) return false;
    return community.stored.deletedAtMs === 0 && sees(community, channel, member);
  };
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
  return notifications.map(({ id, kind, communityId, channelId, authorId, createdAtMs }) => {
    const user = people.get(authorId);
    const isRead = isUpTo(id, mark) || isUpTo(id, marks.get(channelId));
    return {
      id,
      kind,
      ...(user !== undefined && { user }),
      community_id: communityId,
      channel_id: channelId,
      message_id: id,
      created_at: createdAtMs,
      ...(isRead && { read: true as const }),
    };
  });
}
