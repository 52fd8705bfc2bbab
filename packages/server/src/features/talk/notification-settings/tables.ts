import type { Id, NotificationLevel } from '@hearth/protocol';
import type { FeatureTables } from '../../../ports/database/table-data.ts';
import { createNotificationSettings } from './migrations/001-notification-settings.ts';

/** Of what members are notified, where they have chosen something. */
export interface NotificationSettingsTable {
  user_id: Id;
  community_id: Id;
  /** Empty for what was chosen for the community. */
  channel_id: Id | '';
  /** Empty if none was chosen. */
  level: NotificationLevel | '';
  /** 0 unless it is muted. */
  muted_until_ms: number;
}

/** The tables of this feature. */
export interface NotificationSettingsTables {
  notification_settings: NotificationSettingsTable;
}

export const notificationSettingsTables: FeatureTables<NotificationSettingsTables> = {
  tables: {
    notification_settings: {
      columns: {
        user_id: 'id',
        community_id: 'id',
        channel_id: 'id',
        level: 'text',
        muted_until_ms: 'moment',
      },
      key: ['user_id', 'community_id', 'channel_id'],
      removedWith: { community: 'community_id', channel: 'channel_id' },
      people: { user_id: { rows: 'removed' } },
    },
  },
  migrations: { '001-first': createNotificationSettings },
};
