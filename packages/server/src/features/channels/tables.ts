import type { FeatureTables } from '../../ports/database/table-data.ts';
import { addPostSettings } from './migrations/043-post-settings.ts';
import { addLastAt } from './migrations/064-last-at.ts';
import { createChannels } from './migrations/024-channels.ts';

/** Channels and categories. */
export interface ChannelsTable {
  id: string;
  community_id: string;
  kind: 'category' | 'messages' | 'announcements' | 'posts';
  name: string;
  /** Empty if it has none. */
  topic: string;
  /** Empty for a channel without one, and for a category. */
  category_id: string;
  position: number;
  /** 0 without slow mode. */
  slow_mode_seconds: number;
  /** The id of the newest message or post, which may have been deleted; empty if there was none. */
  last_id: string;
  /** When that was written, Unix milliseconds; 0 if it is not known. */
  last_at_ms: number;
  /** The number of the last event of the channel. */
  number: number;
  /** What is special about a channel with posts, as JSON; empty if nothing is. */
  post_settings: string;
  /** 0 unless it was deleted. Its messages are removed afterwards. */
  deleted_at_ms: number;
  version: number;
}

/** What roles and members are allowed and denied in channels and categories. */
export interface ChannelOverwritesTable {
  channel_id: string;
  kind: 'role' | 'member';
  /** The id of the role or of the user. */
  subject_id: string;
  /** Bits of the permissions of members. */
  allow: number;
  deny: number;
}

/** The tables of this feature. */
export interface ChannelsTables {
  channels: ChannelsTable;
  channel_overwrites: ChannelOverwritesTable;
}

export const channelsTables: FeatureTables<ChannelsTables> = {
  tables: {
    channels: {
      columns: {
        id: 'text',
        community_id: 'text',
        kind: 'text',
        name: 'text',
        topic: 'text',
        category_id: 'text',
        position: 'number',
        slow_mode_seconds: 'number',
        last_id: 'text',
        last_at_ms: 'number',
        number: 'number',
        post_settings: 'text',
        deleted_at_ms: 'number',
        version: 'number',
      },
      key: ['id'],
      removedWith: { community: 'community_id' },
      refersTo: ['communities'],
    },
    channel_overwrites: {
      columns: {
        channel_id: 'text',
        kind: 'text',
        subject_id: 'text',
        allow: 'number',
        deny: 'number',
      },
      key: ['channel_id', 'kind', 'subject_id'],
      removedWith: { channel: 'channel_id' },
      refersTo: ['channels'],
      people: { subject_id: { rows: 'removed' } },
    },
  },
  migrations: {
    '024-channels': createChannels,
    '043-post-settings': addPostSettings,
    '064-last-at': addLastAt,
  },
};
