import { column, table, type FeatureTables, type Row } from '../../../ports/database/table-data.ts';
import type { IndexedKind } from '../../talk/index-queue/index-queue.ts';
import { createSearch } from './migrations/001-search.ts';

const notMoved = 'the index is made from what was written';

const tables = {
  /** One row with the state of the index. Each step of the indexer locks it. */
  search_state: table({
    columns: {
      name: column.text,
      /** The number of the newest index. */
      index_number: column.number,
      /** The number of the last one that was completed, which is searched; 0 if none was. */
      complete_number: column.number,
      /** The last message of the lobby that was indexed, or a later id. */
      last_id: column.id,
      /** The number of the newest block of all. None is given twice: a process may have read one that was deleted since. */
      last_block: column.number,
    },
    key: ['name'],
    notMoved,
  }),
  /** The blocks of an index. It is made from the newest entry backwards, up to a block that begins with the empty id. */
  search_blocks: table({
    columns: {
      block: column.number,
      index_number: column.number,
      first_id: column.id,
      /** The number of positions that were given to entries. None is given twice. */
      positions: column.number,
      /** Grows whenever an entry is changed or removed; 0 if no word has a hit that it should not have. */
      outdated: column.number,
      /** 1 if it may have messages of the lobby. */
      has_lobby: column.number,
    },
    key: ['block'],
    notMoved,
  }),
  /** The entries of blocks. */
  search_entries: table({
    columns: {
      block: column.number,
      position: column.number,
      entry_id: column.id,
      kind: column.oneOf<IndexedKind>(),
      /** As of its block. */
      outdated: column.number,
    },
    key: ['block', 'position'],
    notMoved,
  }),
  /** The entries in which words occur. */
  search_words: table({
    columns: {
      block: column.number,
      word: column.text,
      /**
       * One character for each entry of the block that has the word, in no order, and maybe several times. Those after it, of one
       * byte, are the places of the word in the entry.
       */
      hits: column.text,
    },
    key: ['block', 'word'],
    notMoved,
  }),
};

export type SearchStateTable = Row<typeof tables.search_state>;

export const searchTables = {
  tables,
  migrations: { '001-first': createSearch },
} satisfies FeatureTables;
