import type { FeatureTables } from '../../ports/database/table-data.ts';
import { createBans } from './migrations/027-bans.ts';

/** Who may not join which community. */
export interface CommunityBansTable {
  community_id: string;
  user_id: string;
  /** Empty if none was given. */
  reason: string;
  /** Empty if that account was deleted. */
  created_by: string;
  created_at_ms: number;
  /** 0 for a ban that does not end by itself. */
  expires_at_ms: number;
}

/** The tables of this feature. */
export interface CommunityBansTables {
  community_bans: CommunityBansTable;
}

export const communityBansTables: FeatureTables<CommunityBansTables> = {
  tables: {
    community_bans: {
      columns: {
        community_id: 'text',
        user_id: 'text',
        reason: 'text',
        created_by: 'text',
        created_at_ms: 'number',
        expires_at_ms: 'number',
      },
      key: ['community_id', 'user_id'],
      removedWith: { community: 'community_id' },
      refersTo: ['communities', 'users'],
      people: {
        user_id: { rows: 'removed' },
        created_by: {
          rows: 'emptied',
          columns: ['created_by'],
          because: 'the community keeps its bans when a moderator deletes their account',
        },
      },
    },
  },
  migrations: { '027-bans': createBans },
};
