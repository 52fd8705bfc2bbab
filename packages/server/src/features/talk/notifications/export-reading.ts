import type { Context } from '../../../context.ts';
import { readMemberships, type KeepsCommunities } from '../../communities/structure/structure.ts';
import type { KeepsUsers } from '../../accounts/users/users.ts';
import type { ExportPart } from '../../accounts/exports/exports.ts';
import { findNotificationSettings } from '../notification-settings/notification-settings.ts';
import { findReadStates } from '../read-states/read-states.ts';
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
