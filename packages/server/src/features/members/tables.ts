import type { FeatureTables } from '../../ports/database/table-data.ts';
import { createMembers } from './migrations/023-members.ts';
import { createKeptTimeOuts } from './migrations/027-kept-time-outs.ts';
import { createMemberNames } from './migrations/027-member-names.ts';
import { foldMemberNames } from './migrations/061-folded-names.ts';

/** Who is a member of which community. */
export interface MembersTable {
  community_id: string;
  user_id: string;
  /** Empty if the member has none. */
  nickname: string;
  joined_at_ms: number;
  /** 0 for a member who may write. */
  timed_out_until_ms: number;
  version: number;
}

/** The roles that members have besides the everyone role. */
export interface MemberRolesTable {
  community_id: string;
  user_id: string;
  role_id: string;
}

/** The folded names by which members are found and listed. */
export interface MemberNamesTable {
  community_id: string;
  user_id: string;
  name: string;
  /** 1 for the name that is shown, otherwise 0. */
  shown: number;
}

/** The time-outs of people who have left a community before the end: they have them again if they come back. */
export interface KeptTimeOutsTable {
  community_id: string;
  user_id: string;
  until_ms: number;
}

/** The tables of this feature. */
export interface MembersTables {
  members: MembersTable;
  member_roles: MemberRolesTable;
  member_names: MemberNamesTable;
  kept_time_outs: KeptTimeOutsTable;
}

export const membersTables: FeatureTables<MembersTables> = {
  tables: {
    members: {
      columns: {
        community_id: 'text',
        user_id: 'text',
        nickname: 'text',
        joined_at_ms: 'number',
        timed_out_until_ms: 'number',
        version: 'number',
      },
      key: ['community_id', 'user_id'],
      removedWith: { community: 'community_id' },
      refersTo: ['communities', 'users'],
      people: { user_id: { rows: 'removed' } },
    },
    member_roles: {
      columns: { community_id: 'text', user_id: 'text', role_id: 'text' },
      key: ['community_id', 'user_id', 'role_id'],
      removedWith: { community: 'community_id' },
      refersTo: ['roles'],
      people: { user_id: { rows: 'removed' } },
    },
    member_names: {
      columns: { community_id: 'text', user_id: 'text', name: 'text', shown: 'number' },
      key: ['community_id', 'user_id', 'name'],
      removedWith: { community: 'community_id' },
      people: { user_id: { rows: 'removed' } },
    },
    kept_time_outs: {
      columns: { community_id: 'text', user_id: 'text', until_ms: 'number' },
      key: ['community_id', 'user_id'],
      removedWith: { community: 'community_id' },
      people: { user_id: { rows: 'removed' } },
    },
  },
  migrations: {
    '023-members': createMembers,
    '027-kept-time-outs': createKeptTimeOuts,
    '027-member-names': createMemberNames,
    '061-folded-names': foldMemberNames,
  },
};
