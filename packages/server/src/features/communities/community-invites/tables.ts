import type { Id } from '@hearth/protocol';
import type { FeatureTables } from '../../../ports/database/table-data.ts';
import { createCommunityInvites } from './migrations/001-community-invites.ts';

/** Invites to communities. */
export interface CommunityInvitesTable {
  code: string;
  community_id: Id;
  /** Empty if none is shown first. */
  channel_id: Id | '';
  /** Empty if that account was deleted. */
  created_by: Id | '';
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
  /** The number of accounts that were registered with it, also those that were refused. */
  registrations: number;
}

/** The invites of accounts that wait for approval: what they join when they are approved. */
export interface WaitingInvitesTable {
  user_id: Id;
  code: string;
  community_id: Id;
  /** The person who made the invite; empty if that account was deleted. */
  created_by: Id | '';
  /** As JSON. */
  role_ids: string;
}

/** When accounts were registered with the invites of a person, within a day. */
export interface InviteMakersTable {
  user_id: Id;
  /** As JSON: Unix milliseconds. */
  registered_at: string;
  last_at_ms: number;
}

/** The tables of this feature. */
export interface CommunityInvitesTables {
  community_invites: CommunityInvitesTable;
  waiting_invites: WaitingInvitesTable;
  invite_makers: InviteMakersTable;
}

export const communityInvitesTables: FeatureTables<CommunityInvitesTables> = {
  tables: {
    community_invites: {
      columns: {
        code: 'text',
        community_id: 'id',
        channel_id: 'id',
        created_by: 'id',
        created_at_ms: 'moment',
        uses: 'number',
        max_uses: 'number',
        used_at_ms: 'moment',
        expires_at_ms: 'moment',
        role_ids: 'text',
        registrations: 'number',
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
    waiting_invites: {
      columns: {
        user_id: 'id',
        code: 'text',
        community_id: 'id',
        created_by: 'id',
        role_ids: 'text',
      },
      key: ['user_id'],
      removedWith: { community: 'community_id' },
      refersTo: ['communities', 'users'],
      people: {
        user_id: { rows: 'removed' },
        created_by: {
          rows: 'emptied',
          columns: ['created_by'],
          because: 'somebody who was invited still joins when they are approved, without a role',
        },
      },
    },
    invite_makers: {
      columns: { user_id: 'id', registered_at: 'text', last_at_ms: 'moment' },
      key: ['user_id'],
      refersTo: ['users'],
      people: { user_id: { rows: 'removed' } },
    },
  },
  migrations: { '001-first': createCommunityInvites },
};
