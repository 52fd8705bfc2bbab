import type { Permission } from '@hearth/protocol';
import { column, table, type FeatureTables, type Row } from '../../../ports/database/table-data.ts';
import { createStructure } from './migrations/001-structure.ts';

const tables = {
  /** Communities. Text that nobody has given is empty. */
  communities: table({
    columns: {
      id: column.id,
      slug: column.text,
      name: column.text,
      description: column.text,
      /** The id of an upload. */
      icon: column.optionalId,
      /** The id of an upload. */
      banner: column.optionalId,
      rules: column.text,
      kind: column.oneOf<'messages' | 'posts' | 'both'>(),
      visibility: column.oneOf<'public' | 'unlisted' | 'private'>(),
      join_mode: column.oneOf<'open' | 'request' | 'invite'>(),
      owner_id: column.id,
      member_count: column.number,
      /** As JSON. */
      languages: column.text,
      /** As JSON. */
      tags: column.text,
      sensitive: column.number,
      created_at_ms: column.moment,
      /** When somebody wrote something here, with an accuracy of some minutes. */
      active_at_ms: column.moment,
      /** 0 unless it was deleted and can still be restored. */
      deleted_at_ms: column.moment,
      version: column.number,
      /** Grows with every change of the community, its roles, its channels or their overwrites. */
      structure_version: column.number,
    },
    key: ['id'],
    refersTo: ['users'],
    people: {
      owner_id: {
        rows: 'kept',
        because: 'an account that owns a community cannot be deleted before it hands it over',
      },
    },
  }),
  /** The slugs that are taken. */
  community_slugs: table({
    columns: {
      slug: column.text,
      community_id: column.id,
      /** When a slug that was given up becomes free; 0 for a slug in use. */
      free_at_ms: column.moment,
    },
    key: ['slug'],
    removedWith: { community: 'community_id' },
  }),
  /** The roles of communities. The everyone role has the id of its community and position 0. */
  roles: table({
    columns: {
      id: column.id,
      community_id: column.id,
      name: column.text,
      /** Empty if it has none. */
      colour: column.text,
      hoisted: column.number,
      mentionable: column.number,
      self_assignable: column.number,
      position: column.number,
      permissions: column.mask<Permission>(),
      version: column.number,
      /** 1 for a role that was deleted and is still being taken from its members. */
      deleted: column.number,
    },
    key: ['id'],
    removedWith: { community: 'community_id' },
    refersTo: ['communities'],
  }),
  /** Memberships of people in communities. */
  members: table({
    columns: {
      community_id: column.id,
      user_id: column.id,
      /** Empty if the member has none. */
      nickname: column.text,
      joined_at_ms: column.moment,
      /** 0 for a member who may write. */
      timed_out_until_ms: column.moment,
      version: column.number,
    },
    key: ['community_id', 'user_id'],
    removedWith: { community: 'community_id' },
    refersTo: ['communities', 'users'],
    people: { user_id: { rows: 'removed' } },
  }),
  /** The roles that members have besides the everyone role. */
  member_roles: table({
    columns: {
      community_id: column.id,
      user_id: column.id,
      role_id: column.id,
    },
    key: ['community_id', 'user_id', 'role_id'],
    removedWith: { community: 'community_id' },
    refersTo: ['roles'],
    people: { user_id: { rows: 'removed' } },
  }),
  /** The time-outs of people who have left a community before the end: they have them again if they come back. */
  kept_time_outs: table({
    columns: {
      community_id: column.id,
      user_id: column.id,
      until_ms: column.moment,
    },
    key: ['community_id', 'user_id'],
    removedWith: { community: 'community_id' },
    people: { user_id: { rows: 'removed' } },
  }),
  /** Bans of people from communities. */
  community_bans: table({
    columns: {
      community_id: column.id,
      user_id: column.id,
      /** Empty if none was given. */
      reason: column.text,
      /** Empty if that account was deleted. */
      created_by: column.optionalId,
      created_at_ms: column.moment,
      /** 0 for a ban that does not end by itself. */
      expires_at_ms: column.moment,
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
  }),
  /** Channels and categories. */
  channels: table({
    columns: {
      id: column.id,
      community_id: column.id,
      kind: column.oneOf<'category' | 'messages' | 'announcements' | 'posts'>(),
      name: column.text,
      /** Empty if it has none. */
      topic: column.text,
      /** Empty for a channel without one, and for a category. */
      category_id: column.optionalId,
      position: column.number,
      /** 0 without slow mode. */
      slow_mode_seconds: column.number,
      /** The settings of a channel with posts, as JSON; empty if there are none. */
      post_settings: column.text,
      /** 0 unless it was deleted. Its messages are removed afterwards. */
      deleted_at_ms: column.moment,
    },
    key: ['id'],
    removedWith: { community: 'community_id' },
    refersTo: ['communities'],
  }),
  /** Permissions that roles and members are allowed and denied in channels and categories. */
  channel_overwrites: table({
    columns: {
      channel_id: column.id,
      kind: column.oneOf<'role' | 'member'>(),
      /** The id of the role or of the user. */
      subject_id: column.id,
      allow: column.mask<Permission>(),
      deny: column.mask<Permission>(),
    },
    key: ['channel_id', 'kind', 'subject_id'],
    removedWith: { channel: 'channel_id' },
    refersTo: ['channels'],
    people: { subject_id: { rows: 'removed' } },
  }),
};

export type CommunitiesTable = Row<typeof tables.communities>;

export type RolesTable = Row<typeof tables.roles>;

export type MembersTable = Row<typeof tables.members>;

export type CommunityBansTable = Row<typeof tables.community_bans>;

export type ChannelsTable = Row<typeof tables.channels>;

export const structureTables = {
  tables,
  migrations: { '001-first': createStructure },
} satisfies FeatureTables;

declare module '../../../ports/database/database.ts' {
  interface ChangeKinds {
    /** The community with this id, its roles, its channels or their overwrites were changed. */
    communities: true;
    /** A membership was changed; the id names the community and the user. */
    members: true;
  }
}
