import type { Id } from '@hearth/protocol';
import type { FeatureTables } from '../../../ports/database/table-data.ts';
import { createSearch } from './migrations/001-search.ts';

/** The indexes. There is one for each place that can be searched, and one for each that is being deleted. */
export interface SearchPlacesTable {
  name: string;
  /** The number under which its words are stored. */
  place: number;
  /** The number and the id of the last message in the index. */
  indexed_number: number;
  indexed_id: Id;
  /** The process that adds to the index, and until when no other one does. */
  leased_by: string;
  leased_until_ms: number;
}

/** Where words occur. A block is a range of `size` messages, and its rows follow each other. */
export interface SearchWordsTable {
  place: number;
  size: number;
  block: number;
  word: string;
  /** One character for each message of the block that has the word. */
  hits: string;
}

/** How far the messages of each channel are indexed. */
export interface ChannelIndexTable {
  channel_id: Id;
  /** The number and the id of the last message in the index. */
  last_number: number;
  last_id: Id;
  /** 1 if the index has to be made again. */
  is_stale: number;
  /** How many large blocks are complete. */
  merged: number;
  /** How many of them have replaced their small blocks, which are deleted. */
  replaced: number;
  /** From which block the old words of changed messages are being removed, and which messages of it these are; '' if none. */
  cleaned_block: number;
  cleaned_hits: string;
  /** Up to which word this is done, or else the next large block is merged; '' if it has not begun. */
  reached_word: string;
  /** Is raised before words are removed that a search under way may need. */
  version: number;
}

/** The numbers of the messages in the index of a channel, in the order of their ids, which have leading zeros. */
export interface ChannelIndexNumbersTable {
  channel_id: Id;
  number: number;
  message_id: Id;
}

/** Where words occur in channels. */
export interface ChannelWordsTable {
  channel_id: Id;
  /** Small blocks have numbers from 0 on, large ones from -1 downwards. */
  block: number;
  word: string;
  /** One character for each message of the block that has the word, in no order. */
  hits: string;
}

/** The tables of this feature. */
export interface SearchTables {
  channel_index: ChannelIndexTable;
  channel_index_numbers: ChannelIndexNumbersTable;
  channel_words: ChannelWordsTable;
  search_places: SearchPlacesTable;
  search_words: SearchWordsTable;
}

const NOT_MOVED = 'the index is made from the messages';

export const searchTables: FeatureTables<SearchTables> = {
  tables: {
    search_places: {
      columns: {
        name: 'text',
        place: 'number',
        indexed_number: 'number',
        indexed_id: 'id',
        leased_by: 'text',
        leased_until_ms: 'moment',
      },
      key: ['name'],
      notMoved: NOT_MOVED,
    },
    search_words: {
      columns: { place: 'number', size: 'number', block: 'number', word: 'text', hits: 'text' },
      key: ['place', 'size', 'block', 'word'],
      notMoved: NOT_MOVED,
    },
    channel_index: {
      columns: {
        channel_id: 'id',
        last_number: 'number',
        last_id: 'id',
        is_stale: 'number',
        merged: 'number',
        replaced: 'number',
        cleaned_block: 'number',
        cleaned_hits: 'text',
        reached_word: 'text',
        version: 'number',
      },
      key: ['channel_id'],
      removedWith: { channel: 'channel_id' },
      notMoved: NOT_MOVED,
    },
    channel_index_numbers: {
      columns: { channel_id: 'id', number: 'number', message_id: 'id' },
      key: ['channel_id', 'number'],
      removedWith: { channel: 'channel_id' },
      notMoved: NOT_MOVED,
    },
    channel_words: {
      columns: { channel_id: 'id', block: 'number', word: 'text', hits: 'text' },
      key: ['channel_id', 'block', 'word'],
      removedWith: { channel: 'channel_id' },
      notMoved: NOT_MOVED,
    },
  },
  migrations: { '001-first': createSearch },
};
