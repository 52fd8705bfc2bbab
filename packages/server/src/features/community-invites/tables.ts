import type { FeatureTables } from '../../ports/database/table-data.ts';
import { createCommunityInvites } from './migrations/028-community-invites.ts';

/** Invites to communities. */
export interface CommunityInvitesTable {
  code: string;
  community_id: string;
  /** Empty if none is shown first. */
  channel_id: string;
  /** Empty if that account was deleted. */
  created_by: string;
  created_at_ms: number;
  uses: number;
  /** 0 if there is no limit. */
  max_uses: number;
  /** When somebody joined with it last; 0 if nobody has. */
  used_at_ms: number;
  /** 0 for an invite that does not expire. */
  expires_at_ms: number;
  /** As JSON. */
  role_ids: string;
}

/** The tables of this feature. */
export interface CommunityInvitesTables {
  community_invites: CommunityInvitesTable;
}

export const communityInvitesTables: FeatureTables<CommunityInvitesTables> = {
  tables: {
    community_invites: {
      columns: {
        code: 'text',
        community_id: 'text',
        channel_id: 'text',
        created_by: 'text',
        created_at_ms: 'number',
        uses: 'number',
        max_uses: 'number',
        used_at_ms: 'number',
        expires_at_ms: 'number',
        role_ids: 'text',
      },
      key: ['code'],
      removedWith: { community: 'community_id' },
      refersTo: ['communities'],
      people: {
        created_by: {
          rows: 'emptied',
          columns: ['created_by'],
          because: 'links that a community has published work on, but give nobody a role',
        },
      },
    },
  },
  migrations: { '028-community-invites': createCommunityInvites },
};
