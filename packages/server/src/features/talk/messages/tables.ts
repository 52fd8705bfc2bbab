import { column, table, type FeatureTables, type Row } from '../../../ports/database/table-data.ts';
import { createChannelMessages } from './migrations/001-messages.ts';

const tables = {
  /** Messages of channels. */
  channel_messages: table({
    columns: {
      channel_id: column.id,
      id: column.id,
      user_id: column.id,
      content: column.text,
      created_at_ms: column.moment,
      /** 0 if it was never edited. */
      edited_at_ms: column.moment,
      /** The id of the message that it replies to; empty if it is no reply. */
      reply_to: column.optionalId,
      /** The people whom it mentions, as JSON; empty if it mentions nobody. */
      mentions: column.text,
      /** Its files, as JSON; empty if it has none. */
      files: column.text,
      /** The number of people who reacted with each emoji, as JSON; empty if nobody did. */
      reactions: column.text,
      pinned: column.number,
      version: column.number,
      /** The post that was made from it, or that it shows; empty if there is none. */
      post_id: column.optionalId,
      /** `post` if it shows a post; empty otherwise. */
      kind: column.text,
    },
    key: ['channel_id', 'id'],
    removedWith: { channel: 'channel_id' },
    people: {
      user_id: {
        rows: 'kept',
        because: 'erase-messages.ts deletes messages of the person, unless the texts are kept',
      },
      mentions: {
        rows: 'kept',
        because: 'texts of others go on mentioning a deleted account, which is shown as such',
      },
    },
  }),
  /** Former contents of messages. */
  channel_message_versions: table({
    columns: {
      channel_id: column.id,
      message_id: column.id,
      version: column.number,
      content: column.text,
      replaced_at_ms: column.moment,
    },
    key: ['channel_id', 'message_id', 'version'],
    removedWith: { channel: 'channel_id' },
  }),
  /** The messages that are pinned. */
  channel_pins: table({
    columns: {
      channel_id: column.id,
      message_id: column.id,
      pinned_at_ms: column.moment,
    },
    key: ['channel_id', 'message_id'],
    removedWith: { channel: 'channel_id' },
  }),
  /** The files of messages: each belongs to one. */
  channel_files: table({
    columns: {
      file_id: column.id,
      channel_id: column.id,
      message_id: column.id,
    },
    key: ['file_id'],
    removedWith: { channel: 'channel_id' },
  }),
};

export type ChannelMessagesTable = Row<typeof tables.channel_messages>;

export const channelMessagesTables = {
  tables,
  migrations: { '001-first': createChannelMessages },
} satisfies FeatureTables;
