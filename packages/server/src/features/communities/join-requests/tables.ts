import { column, table, type FeatureTables, type Row } from '../../../ports/database/table-data.ts';
import { createJoinRequests } from './migrations/001-join-requests.ts';

const tables = {
  /** Requests of people to become members of communities. */
  join_requests: table({
    columns: {
      community_id: column.id,
      user_id: column.id,
      /** A text to its moderators; empty if there is none. */
      content: column.text,
      created_at_ms: column.moment,
    },
    key: ['community_id', 'user_id'],
    removedWith: { community: 'community_id' },
    refersTo: ['communities', 'users'],
    people: { user_id: { rows: 'removed' } },
  }),
};

export type JoinRequestsTable = Row<typeof tables.join_requests>;

export const joinRequestsTables = {
  tables,
  migrations: { '001-first': createJoinRequests },
} satisfies FeatureTables;
