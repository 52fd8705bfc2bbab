import type { FeatureTables } from '../../ports/database/table-data.ts';
import { createMessageGroups } from './migrations/002-lobby-history.ts';

/** The newest messages of the lobby; messages that were written together share a row. */
export interface MessageGroupsTable {
  /** With leading zeros to 39 digits, so that texts sort like their numbers. */
  first_id: string;
  last_id: string;
  /** Messages are counted from 1 in the order of dispatch; this is the number of the group's last one. */
  last_number: number;
  newest_ms: number;
  /** A JSON array of the messages as clients receive them, with null in place of a removed one. */
  messages: string;
}

/** The tables of this feature. */
export interface MessagesTables {
  message_groups: MessageGroupsTable;
}

export const lobbyTables: FeatureTables<MessagesTables> = {
  tables: {
    message_groups: {
      columns: {
        first_id: 'text',
        last_id: 'text',
        last_number: 'number',
        newest_ms: 'number',
        messages: 'text',
      },
      key: ['first_id'],
      // One of these has many kilobytes.
      rowsAtOnce: 16,
    },
  },
  migrations: { '002-lobby-history': createMessageGroups },
};
