import type { Id, NotificationSetting } from '@hearth/protocol';
import { notificationSettingListSchema } from '@hearth/protocol/schemas';
import type { Account } from '../../../actor.ts';
import type { Context } from '../../../context.ts';
import type { MemberPart } from '../../communities/audiences/audiences.ts';
import type { KeepsCommunities } from '../../communities/structure/structure.ts';
import { requireReader } from '../../accounts/users/users.ts';
import { ownPlaces, type HasPlaces, type PeopleRead } from '../places/places.ts';
import { describeSetting } from './describe-setting.ts';
import { selectSettings } from './store.ts';

/** The context that it takes to list settings. */
type ListContext = Context & HasPlaces & KeepsCommunities;

/** Reads of what people are notified, where they have chosen something. One query reads that of all of them. */
export async function findNotificationSettings(
  ctx: ListContext,
  people: PeopleRead,
): Promise<(userId: Id) => readonly NotificationSetting[]> {
  const [placesOf, stored] = await Promise.all([
    ownPlaces(ctx, people),
    selectSettings(ctx.database.reader, people.userIds),
  ]);
  const byUser = Map.groupBy(stored, ({ userId }) => userId);
  const nowMs = ctx.clock.unixMs();
  return (userId) => {
    const chosen = byUser.get(userId) ?? [];
    if (chosen.length === 0) return [];
    const own = placesOf(userId);
    return chosen
      .filter(({ communityId, channelId, level, mutedUntilMs }) => {
        if (level === '' && mutedUntilMs <= nowMs) return false;
        if (channelId !== '') return own.readerIn({ communityId, channelId }) !== undefined;
        return communityId !== '' && own.communityIds.includes(communityId);
      })
      .map((setting) => describeSetting(setting, nowMs));
  };
}

/** Lists what the caller is notified of, where they have chosen something. */
export async function listNotificationSettings(
  ctx: ListContext,
  actor: Account,
): Promise<readonly NotificationSetting[]> {
  await requireReader(ctx, actor);
  return (await findNotificationSettings(ctx, { userIds: [actor.user_id] }))(actor.user_id);
}

/** The part of READY about what users are notified of. */
export const notificationSettingsPart: MemberPart<ListContext, 'notification_settings'> = {
  key: 'notification_settings',
  schema: notificationSettingListSchema,
  async read(ctx, { users, members }) {
    const settingsOf = await findNotificationSettings(ctx, { userIds: users, members });
    return (user) => [...settingsOf(user)];
  },
};
