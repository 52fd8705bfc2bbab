import type { Id } from '@hearth/protocol';
import type { FeatureTables } from '../../../ports/database/table-data.ts';
import { createChannelMessages } from './migrations/001-messages.ts';

/** Messages of channels. Everything has ids with leading zeros to 39 digits in `id` and `message_id`, so that they sort like numbers. */
export interface ChannelMessagesTable {
  channel_id: Id;
  id: Id;
  user_id: Id;
  content: string;
  created_at_ms: number;
  /** 0 if it was never edited. */
  edited_at_ms: number;
  /** The id of the message that it replies to, without leading zeros; empty if it is no reply. */
  reply_to: Id | '';
  /** Whom it mentions, as JSON; empty if it mentions nobody. */
  mentions: string;
  /** Its files, as JSON; empty if it has none. */
  files: string;
  /** How many reacted with what, as JSON; empty if nobody did. */
  reactions: string;
  pinned: number;
  version: number;
  /** The post that was made from it, or that it shows, written like `id`; empty if there is none. */
  post_id: Id | '';
  /** `post` if it shows a post; empty otherwise. */
  kind: string;
}

/** Former contents of messages. */
export interface ChannelMessageVersionsTable {
  channel_id: Id;
  message_id: Id;
  version: number;
  content: string;
  replaced_at_ms: number;
}

/** Who reacted to which message. How many did is in the message itself. */
export interface ChannelReactionsTable {
  message_id: Id;
  emoji: string;
  /** Written like `message_id`. */
  user_id: Id;
  channel_id: Id;
  reacted_at_ms: number;
}

/** The messages that are pinned. */
export interface ChannelPinsTable {
  channel_id: Id;
  message_id: Id;
  pinned_at_ms: number;
}

/** The files of messages: each belongs to one. */
export interface ChannelFilesTable {
  file_id: Id;
  channel_id: Id;
  message_id: Id;
}

/** When somebody posted last in a channel with slow mode. */
export interface ChannelPacesTable {
  channel_id: Id;
  user_id: Id;
  posted_at_ms: number;
}

/** The tables of this feature. */
export interface ChannelMessagesTables {
  channel_messages: ChannelMessagesTable;
  channel_message_versions: ChannelMessageVersionsTable;
  channel_reactions: ChannelReactionsTable;
  channel_pins: ChannelPinsTable;
  channel_files: ChannelFilesTable;
  channel_paces: ChannelPacesTable;
}

export const channelMessagesTables: FeatureTables<ChannelMessagesTables> = {
  tables: {
    channel_messages: {
      columns: {
        channel_id: 'id',
        id: 'id',
        user_id: 'id',
        content: 'text',
        created_at_ms: 'moment',
        edited_at_ms: 'moment',
        reply_to: 'id',
        mentions: 'text',
        files: 'text',
        reactions: 'text',
        pinned: 'number',
        version: 'number',
        post_id: 'id',
        kind: 'text',
      },
      key: ['channel_id', 'id'],
      removedWith: { channel: 'channel_id' },
      people: {
        user_id: {
          rows: 'kept',
          because: 'erase-messages.ts deletes messages of the person, unless the texts are kept',
        },
      },
    },
    channel_message_versions: {
      columns: {
        channel_id: 'id',
        message_id: 'id',
        version: 'number',
        content: 'text',
        replaced_at_ms: 'moment',
      },
      key: ['channel_id', 'message_id', 'version'],
      removedWith: { channel: 'channel_id' },
    },
    channel_reactions: {
      columns: {
        message_id: 'id',
        emoji: 'text',
        user_id: 'id',
        channel_id: 'id',
        reacted_at_ms: 'moment',
      },
      key: ['message_id', 'emoji', 'user_id'],
      removedWith: { channel: 'channel_id' },
      people: {
        user_id: {
          rows: 'kept',
          because:
            'erase-messages.ts takes back each reaction, so that the totals in messages stay right',
        },
      },
    },
    channel_pins: {
      columns: { channel_id: 'id', message_id: 'id', pinned_at_ms: 'moment' },
      key: ['channel_id', 'message_id'],
      removedWith: { channel: 'channel_id' },
    },
    channel_files: {
      columns: { file_id: 'id', channel_id: 'id', message_id: 'id' },
      key: ['file_id'],
      removedWith: { channel: 'channel_id' },
    },
    channel_paces: {
      columns: { channel_id: 'id', user_id: 'id', posted_at_ms: 'moment' },
      key: ['channel_id', 'user_id'],
      removedWith: { channel: 'channel_id' },
      people: { user_id: { rows: 'removed' } },
    },
  },
  migrations: { '001-first': createChannelMessages },
};
