import { channelSightOf, sightOf, type Id, type NotificationSetting } from '@hearth/protocol';
import { notificationSettingListSchema } from '@hearth/protocol/schemas';
import { ANYONE, type Account } from '../../../actor.ts';
import type { Context } from '../../../context.ts';
import type { MemberPart } from '../../communities/audiences/audiences.ts';
import {
  accessOf,
  readMemberships,
  type KeepsCommunities,
  type StoredMember,
} from '../../communities/structure/structure.ts';
import { requireReader } from '../../accounts/users/users.ts';
import { describeSetting } from './describe-setting.ts';
import { selectSettings } from './store.ts';

/** What a user has chosen; empty for somebody whose memberships were not given. */
export type SettingsOf = (userId: Id) => readonly NotificationSetting[];

/** Reads of what members are notified, where they have chosen something. One query reads that of all of them. */
export async function findNotificationSettings(
  ctx: Context & KeepsCommunities,
  members: readonly StoredMember[],
): Promise<SettingsOf> {
  const [communities, stored] = await Promise.all([
    ctx.communities.all([...new Set(members.map(({ communityId }) => communityId))]),
    selectSettings(ctx.database.reader, [...new Set(members.map(({ userId }) => userId))]),
  ]);
  const byMember = new Map(
    members.map((member) => [`${member.userId} ${member.communityId}`, member]),
  );
  const byUser = Map.groupBy(stored, ({ userId }) => userId);
  const nowMs = ctx.clock.unixMs();
  return (userId) =>
    (byUser.get(userId) ?? [])
      .filter(({ communityId, channelId, level, mutedUntilMs }) => {
        const community = communities.get(communityId);
        const member = byMember.get(`${userId} ${communityId}`);
        if (community === undefined || member === undefined) return false;
        if (level === '' && mutedUntilMs <= nowMs) return false;
        if (channelId === '') return sightOf(community, userId).follows;
        const channel = community.channelById.get(channelId);
        if (channel === undefined) return false;
        const { viewer } = accessOf(ctx, ANYONE, { community, member });
        return channelSightOf(viewer, community, channel.levels).follows;
      })
      .map((setting) => describeSetting(setting, nowMs));
}

/** Of what the caller is notified, where they have chosen something. */
export async function listNotificationSettings(
  ctx: Context & KeepsCommunities,
  actor: Account,
): Promise<readonly NotificationSetting[]> {
  await requireReader(ctx, actor);
  const members = await readMemberships(ctx.database.reader, actor.user_id);
  return (await findNotificationSettings(ctx, members))(actor.user_id);
}

/** Of what users are notified, in READY. */
export const notificationSettingsPart: MemberPart<
  Context & KeepsCommunities,
  'notification_settings'
> = {
  key: 'notification_settings',
  schema: notificationSettingListSchema,
  async read(ctx, { members }) {
    const settingsOf = await findNotificationSettings(ctx, members);
    return (user) => [...settingsOf(user)];
  },
};
