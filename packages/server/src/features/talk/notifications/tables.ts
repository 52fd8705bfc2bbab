import type { NotificationKind } from '@hearth/protocol';
import type { FeatureTables } from '../../../ports/database/table-data.ts';
import { createNotifications } from './migrations/001-notifications.ts';

/** What concerns people. Ids have leading zeros to 39 digits here, so that texts sort like their numbers. */
export interface NotificationsTable {
  user_id: string;
  /** That of the message, post or comment. */
  id: string;
  kind: NotificationKind;
  community_id: string;
  /** Without leading zeros. */
  channel_id: string;
  author_id: string;
  /** The post that it is about, or whose comment it is about, without leading zeros; empty for a message. */
  post_id: string;
  created_at_ms: number;
  /** 1 once the person has read the post that it is about, with its comments. */
  read: number;
  /** 0 until the devices of the person are sent it. */
  sent: number;
}

/** How far people have read their notifications. */
export interface NotificationMarksTable {
  user_id: string;
  last_read_id: string;
}

/** The tables of this feature. */
export interface NotificationsTables {
  notifications: NotificationsTable;
  notification_marks: NotificationMarksTable;
}

export const notificationsTables: FeatureTables<NotificationsTables> = {
  tables: {
    notifications: {
      columns: {
        user_id: 'text',
        id: 'text',
        kind: 'text',
        community_id: 'text',
        channel_id: 'text',
        author_id: 'text',
        post_id: 'text',
        created_at_ms: 'number',
        read: 'number',
        sent: 'number',
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
    },
    notification_marks: {
      columns: { user_id: 'text', last_read_id: 'text' },
      key: ['user_id'],
      people: { user_id: { rows: 'removed' } },
    },
  },
  migrations: { '001-first': createNotifications },
};
