import { column, table, type FeatureTables, type Row } from '../../../ports/database/table-data.ts';
import { createSearch } from './migrations/001-search.ts';

const NOT_MOVED = 'the index is made from the messages';

const tables = {
  /** The indexes. There is one for each place that can be searched, and one for each that is being deleted. */
  search_places: table({
    columns: {
      name: column.text,
      /** The number under which its words are stored. */
      place: column.number,
      /** The number and the id of the last message in the index. */
      indexed_number: column.number,
      indexed_id: column.id,
      /** The process that adds to the index, and until when no other one does. */
      leased_by: column.text,
      leased_until_ms: column.moment,
    },
    key: ['name'],
    notMoved: NOT_MOVED,
  }),
  /** Where words occur. A block is a range of `size` messages, and its rows follow each other. */
  search_words: table({
    columns: {
      place: column.number,
      size: column.number,
      block: column.number,
      word: column.text,
      /** One character for each message of the block that has the word. */
      hits: column.text,
    },
    key: ['place', 'size', 'block', 'word'],
    notMoved: NOT_MOVED,
  }),
  /** How far the messages of each channel are indexed. */
  channel_index: table({
    columns: {
      channel_id: column.id,
      /** The number and the id of the last message in the index. */
      last_number: column.number,
      last_id: column.id,
      /** 1 if the index has to be made again. */
      is_stale: column.number,
      /** How many large blocks are complete. */
      merged: column.number,
      /** How many of them have replaced their small blocks, which are deleted. */
      replaced: column.number,
      /** From which block the old words of changed messages are being removed, and which messages of it these are; '' if none. */
      cleaned_block: column.number,
      cleaned_hits: column.text,
      /** Up to which word this is done, or else the next large block is merged; '' if it has not begun. */
      reached_word: column.text,
      /** Is raised before words are removed that a search under way may need. */
      version: column.number,
    },
    key: ['channel_id'],
    removedWith: { channel: 'channel_id' },
    notMoved: NOT_MOVED,
  }),
  /** The numbers of the messages in the index of a channel, in the order of their ids. */
  channel_index_numbers: table({
    columns: {
      channel_id: column.id,
      number: column.number,
      message_id: column.id,
    },
    key: ['channel_id', 'number'],
    removedWith: { channel: 'channel_id' },
    notMoved: NOT_MOVED,
  }),
  /** Where words occur in channels. */
  channel_words: table({
    columns: {
      channel_id: column.id,
      /** Small blocks have numbers from 0 on, large ones from -1 downwards. */
      block: column.number,
      word: column.text,
      /** One character for each message of the block that has the word, in no order. */
      hits: column.text,
    },
    key: ['channel_id', 'block', 'word'],
    removedWith: { channel: 'channel_id' },
    notMoved: NOT_MOVED,
  }),
};

export type ChannelIndexTable = Row<typeof tables.channel_index>;

export type ChannelIndexNumbersTable = Row<typeof tables.channel_index_numbers>;

export const searchTables = {
  tables,
  migrations: { '001-first': createSearch },
} satisfies FeatureTables;
