import { column, table, type FeatureTables, type Row } from '../../../ports/database/table-data.ts';
import { createCommunityInvites } from './migrations/001-community-invites.ts';

const tables = {
  /** Invites to communities. */
  community_invites: table({
    columns: {
      code: column.text,
      community_id: column.id,
      /** Empty if none is shown first. */
      channel_id: column.optionalId,
      /** Empty if that account was deleted. */
      created_by: column.optionalId,
      created_at_ms: column.moment,
      uses: column.number,
      /** 0 if there is no limit. */
      max_uses: column.number,
      /** When somebody joined with it last; 0 if nobody has. */
      used_at_ms: column.moment,
      /** 0 for an invite that does not expire. */
      expires_at_ms: column.moment,
      /** As JSON. */
      role_ids: column.text,
      /** The number of accounts that were registered with it, also those that were refused. */
      registrations: column.number,
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
  }),
  /** The invites of accounts that wait for approval: what they join when they are approved. */
  waiting_invites: table({
    columns: {
      user_id: column.id,
      code: column.text,
      community_id: column.id,
      /** The person who made the invite; empty if that account was deleted. */
      created_by: column.optionalId,
      /** As JSON. */
      role_ids: column.text,
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
  }),
  /** When accounts were registered with the invites of a person, within a day. */
  invite_makers: table({
    columns: {
      user_id: column.id,
      /** As JSON: Unix milliseconds. */
      registered_at: column.text,
      last_at_ms: column.moment,
    },
    key: ['user_id'],
    refersTo: ['users'],
    people: { user_id: { rows: 'removed' } },
  }),
};

export type CommunityInvitesTable = Row<typeof tables.community_invites>;

export type WaitingInvitesTable = Row<typeof tables.waiting_invites>;

export const communityInvitesTables = {
  tables,
  migrations: { '001-first': createCommunityInvites },
} satisfies FeatureTables;
