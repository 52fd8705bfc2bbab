import type { NotificationKind } from '@hearth/protocol';
import { column, table, type FeatureTables, type Row } from '../../../ports/database/table-data.ts';
import { createNotifications } from './migrations/001-notifications.ts';

const tables = {
  /** Notifications of people. */
  notifications: table({
    columns: {
      user_id: column.id,
      /** That of the message, post or comment. */
      id: column.id,
      kind: column.oneOf<NotificationKind>(),
      /** Empty outside of communities. */
      community_id: column.optionalId,
      channel_id: column.id,
      author_id: column.id,
      /** The post that it is about, or whose comment it is about; empty for a message. */
      post_id: column.optionalId,
      created_at_ms: column.moment,
      /** 1 once the person has read the post that it is about, with its comments. */
      read: column.number,
      /** 0 until the devices of the person are sent it. */
      sent: column.number,
    },
    key: ['user_id', 'id'],
    removedWith: { channel: 'channel_id' },
    people: {
      user_id: { rows: 'removed' },
      author_id: {
        rows: 'kept',
        because:
          'they go with the message, post or comment; if that stays, both are those of a deleted account',
      },
    },
  }),
  /** The point up to which people have read their notifications. */
  notification_marks: table({
    columns: {
      user_id: column.id,
      last_read_id: column.id,
    },
    key: ['user_id'],
    people: { user_id: { rows: 'removed' } },
  }),
};

export type NotificationsTable = Row<typeof tables.notifications>;

export const notificationsTables = {
  tables,
  migrations: { '001-first': createNotifications },
} satisfies FeatureTables;
