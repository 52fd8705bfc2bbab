import type { Id } from '@hearth/protocol';
import type { FeatureTables } from '../../../ports/database/table-data.ts';
import { createJoinRequests } from './migrations/001-join-requests.ts';

/** Who asks to become a member of which community. */
export interface JoinRequestsTable {
  community_id: Id;
  user_id: Id;
  /** What they say to its moderators; empty if that is nothing. */
  content: string;
  created_at_ms: number;
}

/** The tables of this feature. */
export interface JoinRequestsTables {
  join_requests: JoinRequestsTable;
}

export const joinRequestsTables: FeatureTables<JoinRequestsTables> = {
  tables: {
    join_requests: {
      columns: {
        community_id: 'id',
        user_id: 'id',
        content: 'text',
        created_at_ms: 'moment',
      },
      key: ['community_id', 'user_id'],
      removedWith: { community: 'community_id' },
      refersTo: ['communities', 'users'],
      people: { user_id: { rows: 'removed' } },
    },
  },
  migrations: { '001-first': createJoinRequests },
};
