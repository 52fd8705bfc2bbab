import { column, table, type FeatureTables, type Row } from '../../../ports/database/table-data.ts';
import { createLobby } from './migrations/001-lobby.ts';

const tables = {
  /** The newest messages of the lobby; messages that were written together share a row. */
  message_groups: table({
    columns: {
      first_id: column.id,
      last_id: column.id,
      /** Messages are counted from 1 in the order of dispatch; this is the number of the group's last one. */
      last_number: column.number,
      newest_ms: column.moment,
      /** A JSON array of the messages as clients receive them, with null in place of a removed one. */
      messages: column.text,
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
  }),
};

export type MessageGroupsTable = Row<typeof tables.message_groups>;

export const lobbyTables = {
  tables,
  migrations: { '001-first': createLobby },
} satisfies FeatureTables;
