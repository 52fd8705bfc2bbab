import type { Context } from '../../../context.ts';
import type { KeepsCommunities } from '../../communities/structure/known-communities.ts';
import type { KeepsUsers } from '../../accounts/users/known-users.ts';
import type { ExportPart } from '../../accounts/exports/export-part.ts';
import { readMemberships } from '../../communities/structure/read-member.ts';
import { findNotificationSettings } from '../notification-settings/find-settings.ts';
import { findReadStates } from '../read-states/find-read-states.ts';
import type { HasNotifiedTexts } from './notified-texts.ts';
import { notificationsOf } from './list-notifications.ts';

/** What a person has read and chosen, and their notifications. */
export const exportReading: ExportPart<
  Context & HasNotifiedTexts & KeepsCommunities & KeepsUsers
> = async (ctx, userId) => {
  const members = await readMemberships(ctx.database.reader, userId);
  const [readStatesOf, settingsOf, notifications] = await Promise.all([
    findReadStates(ctx, members),
    findNotificationSettings(ctx, members),
    notificationsOf(ctx, userId),
  ]);
  const all = {
    read_states: readStatesOf(userId),
    notification_settings: settingsOf(userId),
    notifications,
  };
  const text = JSON.stringify(all, null, 2);
  return [{ name: 'reading.json', modifiedAtMs: ctx.clock.unixMs(), read: async () => text }];
};
