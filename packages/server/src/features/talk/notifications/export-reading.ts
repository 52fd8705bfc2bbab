import type { Context } from '../../../context.ts';
import type { ExportPart } from '../../accounts/exports/exports.ts';
import { findNotificationSettings } from '../notification-settings/notification-settings.ts';
import { findReadStates } from '../read-states/read-states.ts';
import { notificationsOf, type ListContext } from './list-notifications.ts';

/** Exports what a person has read and chosen, and their notifications. */
export const exportReading: ExportPart<Context & ListContext> = async (ctx, userId) => {
  const people = { userIds: [userId] };
  const [readStatesOf, settingsOf, notifications] = await Promise.all([
    findReadStates(ctx, people),
    findNotificationSettings(ctx, people),
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
