import type { Id } from '@hearth/protocol';
import type { FeatureTables } from '../../../ports/database/table-data.ts';
import { createStructure } from './migrations/001-structure.ts';

/** Communities. Text that nobody has given is empty. */
export interface CommunitiesTable {
  id: Id;
  slug: string;
  name: string;
  description: string;
  /** The id of an upload. */
  icon: Id | '';
  /** The id of an upload. */
  banner: Id | '';
  rules: string;
  kind: 'messages' | 'posts' | 'both';
  visibility: 'public' | 'unlisted' | 'private';
  join_mode: 'open' | 'request' | 'invite';
  owner_id: Id;
  member_count: number;
  /** As JSON. */
  languages: string;
  /** As JSON. */
  tags: string;
  sensitive: number;
  created_at_ms: number;
  /** When somebody wrote something here, with an accuracy of some minutes. */
  active_at_ms: number;
  /** 0 unless it was deleted and can still be restored. */
  deleted_at_ms: number;
  version: number;
  /** Grows with every change of the community, its roles, its channels or their overwrites. */
  structure_version: number;
}

/** The slugs that are taken. */
export interface CommunitySlugsTable {
  slug: string;
  community_id: Id;
  /** When a slug that was given up becomes free; 0 for a slug in use. */
  free_at_ms: number;
}

/** The roles of communities. The everyone role has the id of its community and position 0. */
export interface RolesTable {
  id: Id;
  community_id: Id;
  name: string;
  /** Empty if it has none. */
  colour: string;
  hoisted: number;
  mentionable: number;
  self_assignable: number;
  position: number;
  /** The digits of a mask of the permissions of members. */
  permissions: string;
  version: number;
  /** 1 for a role that was deleted and is still being taken from its members. */
  deleted: number;
}

/** Who is a member of which community. */
export interface MembersTable {
  community_id: Id;
  user_id: Id;
  /** Empty if the member has none. */
  nickname: string;
  joined_at_ms: number;
  /** 0 for a member who may write. */
  timed_out_until_ms: number;
  version: number;
}

/** The roles that members have besides the everyone role. */
export interface MemberRolesTable {
  community_id: Id;
  user_id: Id;
  role_id: Id;
}

/** The time-outs of people who have left a community before the end: they have them again if they come back. */
export interface KeptTimeOutsTable {
  community_id: Id;
  user_id: Id;
  until_ms: number;
}

/** Who may not join which community. */
export interface CommunityBansTable {
  community_id: Id;
  user_id: Id;
  /** Empty if none was given. */
  reason: string;
  /** Empty if that account was deleted. */
  created_by: Id | '';
  created_at_ms: number;
  /** 0 for a ban that does not end by itself. */
  expires_at_ms: number;
}

/** Channels and categories. */
export interface ChannelsTable {
  id: Id;
  community_id: Id;
  kind: 'category' | 'messages' | 'announcements' | 'posts';
  name: string;
  /** Empty if it has none. */
  topic: string;
  /** Empty for a channel without one, and for a category. */
  category_id: Id | '';
  position: number;
  /** 0 without slow mode. */
  slow_mode_seconds: number;
  /** What is special about a channel with posts, as JSON; empty if nothing is. */
  post_settings: string;
  /** 0 unless it was deleted. Its messages are removed afterwards. */
  deleted_at_ms: number;
}

/** What roles and members are allowed and denied in channels and categories. */
export interface ChannelOverwritesTable {
  channel_id: Id;
  kind: 'role' | 'member';
  /** The id of the role or of the user. */
  subject_id: Id;
  /** The digits of masks of the permissions of members. */
  allow: string;
  deny: string;
}

/** The tables of this feature. */
export interface StructureTables {
  communities: CommunitiesTable;
  community_slugs: CommunitySlugsTable;
  roles: RolesTable;
  members: MembersTable;
  member_roles: MemberRolesTable;
  kept_time_outs: KeptTimeOutsTable;
  community_bans: CommunityBansTable;
  channels: ChannelsTable;
  channel_overwrites: ChannelOverwritesTable;
}

export const structureTables: FeatureTables<StructureTables> = {
  tables: {
    communities: {
      columns: {
        id: 'id',
        slug: 'text',
        name: 'text',
        description: 'text',
        icon: 'id',
        banner: 'id',
        rules: 'text',
        kind: 'text',
        visibility: 'text',
        join_mode: 'text',
        owner_id: 'id',
        member_count: 'number',
        languages: 'text',
        tags: 'text',
        sensitive: 'number',
        created_at_ms: 'moment',
        active_at_ms: 'moment',
        deleted_at_ms: 'moment',
        version: 'number',
        structure_version: 'number',
      },
      key: ['id'],
      refersTo: ['users'],
      people: {
        owner_id: {
          rows: 'kept',
          because: 'an account that owns a community cannot be deleted before it hands it over',
        },
      },
    },
    community_slugs: {
      columns: { slug: 'text', community_id: 'id', free_at_ms: 'moment' },
      key: ['slug'],
      removedWith: { community: 'community_id' },
    },
    roles: {
      columns: {
        id: 'id',
        community_id: 'id',
        name: 'text',
        colour: 'text',
        hoisted: 'number',
        mentionable: 'number',
        self_assignable: 'number',
        position: 'number',
        permissions: 'text',
        version: 'number',
        deleted: 'number',
      },
      key: ['id'],
      removedWith: { community: 'community_id' },
      refersTo: ['communities'],
    },
    members: {
      columns: {
        community_id: 'id',
        user_id: 'id',
        nickname: 'text',
        joined_at_ms: 'moment',
        timed_out_until_ms: 'moment',
        version: 'number',
      },
      key: ['community_id', 'user_id'],
      removedWith: { community: 'community_id' },
      refersTo: ['communities', 'users'],
      people: { user_id: { rows: 'removed' } },
    },
    member_roles: {
      columns: { community_id: 'id', user_id: 'id', role_id: 'id' },
      key: ['community_id', 'user_id', 'role_id'],
      removedWith: { community: 'community_id' },
      refersTo: ['roles'],
      people: { user_id: { rows: 'removed' } },
    },
    kept_time_outs: {
      columns: { community_id: 'id', user_id: 'id', until_ms: 'moment' },
      key: ['community_id', 'user_id'],
      removedWith: { community: 'community_id' },
      people: { user_id: { rows: 'removed' } },
    },
    community_bans: {
      columns: {
        community_id: 'id',
        user_id: 'id',
        reason: 'text',
        created_by: 'id',
        created_at_ms: 'moment',
        expires_at_ms: 'moment',
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
    channels: {
      columns: {
        id: 'id',
        community_id: 'id',
        kind: 'text',
        name: 'text',
        topic: 'text',
        category_id: 'id',
        position: 'number',
        slow_mode_seconds: 'number',
        post_settings: 'text',
        deleted_at_ms: 'moment',
      },
      key: ['id'],
      removedWith: { community: 'community_id' },
      refersTo: ['communities'],
    },
    channel_overwrites: {
      columns: {
        channel_id: 'id',
        kind: 'text',
        subject_id: 'id',
        allow: 'text',
        deny: 'text',
      },
      key: ['channel_id', 'kind', 'subject_id'],
      removedWith: { channel: 'channel_id' },
      refersTo: ['channels'],
      people: { subject_id: { rows: 'removed' } },
    },
  },
  migrations: { '001-first': createStructure },
};

declare module '../../../ports/database/database.ts' {
  interface ChangeKinds {
    /** The community with this id, its roles, its channels or their overwrites were changed. */
    communities: true;
    /** A membership was changed; the id names the community and the user. */
    members: true;
  }
}
