import type { NotificationLevel } from '@hearth/protocol';
import { column, table, type FeatureTables } from '../../../ports/database/table-data.ts';
import { createNotificationSettings } from './migrations/001-notification-settings.ts';

const tables = {
  /** The things of which members are notified, where they have chosen something. */
  notification_settings: table({
    columns: {
      user_id: column.id,
      /** Empty outside of communities. */
      community_id: column.optionalId,
      /** Empty for what was chosen for the community. */
      channel_id: column.optionalId,
      /** Empty if none was chosen. */
      level: column.oneOf<NotificationLevel | ''>(),
      /** 0 unless it is muted. */
      muted_until_ms: column.moment,
    },
    key: ['user_id', 'community_id', 'channel_id'],
    removedWith: { community: 'community_id', channel: 'channel_id' },
    people: { user_id: { rows: 'removed' } },
  }),
};

export const notificationSettingsTables = {
  tables,
  migrations: { '001-first': createNotificationSettings },
} satisfies FeatureTables;
