import type { FeatureTables } from '../../ports/database/table-data.ts';
import { createSearchIndex } from './migrations/007-search.ts';
import { addBlockSizes } from './migrations/008-search-sizes.ts';

/** The indexes. There is one for each place that can be searched, and one for each that is being deleted. */
export interface SearchPlacesTable {
  name: string;
  /** The number under which its words are stored. */
  place: number;
  /** The number and the id of the last message in the index. */
  indexed_number: number;
  indexed_id: string;
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

/** The tables of this feature. */
export interface SearchTables {
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
        indexed_id: 'text',
        leased_by: 'text',
        leased_until_ms: 'number',
      },
      key: ['name'],
      notMoved: NOT_MOVED,
    },
    search_words: {
      columns: { place: 'number', size: 'number', block: 'number', word: 'text', hits: 'text' },
      key: ['place', 'size', 'block', 'word'],
      notMoved: NOT_MOVED,
    },
  },
  migrations: { '007-search': createSearchIndex, '008-search-sizes': addBlockSizes },
};
