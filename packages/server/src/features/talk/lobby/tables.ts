import type { Id } from '@hearth/protocol';
import type { FeatureTables } from '../../../ports/database/table-data.ts';
import { createLobby } from './migrations/001-lobby.ts';

/** The newest messages of the lobby; messages that were written together share a row. */
export interface MessageGroupsTable {
  /** With leading zeros to 39 digits, so that texts sort like their numbers. */
  first_id: Id;
  last_id: Id;
  /** Messages are counted from 1 in the order of dispatch; this is the number of the group's last one. */
  last_number: number;
  newest_ms: number;
  /** A JSON array of the messages as clients receive them, with null in place of a removed one. */
  messages: string;
}

/** Who reacted to which message. How many did is in the message itself. */
export interface MessageReactionsTable {
  /** With leading zeros to 39 digits, like the ids of groups. */
  message_id: Id;
  emoji: string;
  /** Written like `message_id`. */
  user_id: Id;
  reacted_at_ms: number;
}

/** Messages whose text was changed, until the search has indexed it. */
export interface MessageEditsTable {
  number: number;
  /** The message's version since then. */
  version: number;
}

/** The tables of this feature. */
export interface MessagesTables {
  message_groups: MessageGroupsTable;
  message_reactions: MessageReactionsTable;
  message_edits: MessageEditsTable;
}

export const lobbyTables: FeatureTables<MessagesTables> = {
  tables: {
    message_groups: {
      columns: {
        first_id: 'id',
        last_id: 'id',
        last_number: 'number',
        newest_ms: 'moment',
        messages: 'text',
      },
      key: ['first_id'],
      people: {
        messages: {
          rows: 'kept',
          because: 'erase-user.ts removes messages of the person, or their name from them',
        },
      },
      // One of these has many kilobytes.
      rowsAtOnce: 16,
    },
    message_reactions: {
      columns: {
        message_id: 'id',
        emoji: 'text',
        user_id: 'id',
        reacted_at_ms: 'moment',
      },
      key: ['message_id', 'emoji', 'user_id'],
      people: {
        user_id: {
          rows: 'kept',
          because:
            'erase-account.ts takes back each reaction, so that the totals in messages stay right',
        },
      },
    },
    message_edits: {
      columns: { number: 'number', version: 'number' },
      key: ['number'],
      notMoved: 'the index, which does not have their words yet, is made from the messages',
    },
  },
  migrations: { '001-first': createLobby },
};
