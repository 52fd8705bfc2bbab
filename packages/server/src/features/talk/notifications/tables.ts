import type { Id, NotificationKind } from '@hearth/protocol';
import type { FeatureTables } from '../../../ports/database/table-data.ts';
import { createNotifications } from './migrations/001-notifications.ts';

/** What concerns people. Ids have leading zeros to 39 digits here, so that texts sort like their numbers. */
export interface NotificationsTable {
  user_id: Id;
  /** That of the message, post or comment. */
  id: Id;
  kind: NotificationKind;
  community_id: Id;
  /** Without leading zeros. */
  channel_id: Id;
  author_id: Id;
  /** The post that it is about, or whose comment it is about, without leading zeros; empty for a message. */
  post_id: Id | '';
  created_at_ms: number;
  /** 1 once the person has read the post that it is about, with its comments. */
  read: number;
  /** 0 until the devices of the person are sent it. */
  sent: number;
}

/** How far people have read their notifications. */
export interface NotificationMarksTable {
  user_id: Id;
  last_read_id: Id;
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
        user_id: 'id',
        id: 'id',
        kind: 'text',
        community_id: 'id',
        channel_id: 'id',
        author_id: 'id',
        post_id: 'id',
        created_at_ms: 'moment',
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
      columns: { user_id: 'id', last_read_id: 'id' },
      key: ['user_id'],
      people: { user_id: { rows: 'removed' } },
    },
  },
  migrations: { '001-first': createNotifications },
};
