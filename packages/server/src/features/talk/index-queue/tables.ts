import { column, table, type FeatureTables } from '../../../ports/database/table-data.ts';
import type { IndexedKind } from './indexed-kind.ts';
import { createIndexQueue } from './migrations/001-index-queue.ts';

const tables = {
  /** Entries that the search index does not have as they are now. Each change adds a row of its own, so that nobody waits. */
  search_queue: table({
    columns: {
      entry_id: column.id,
      /** Empty for what is new. */
      note: column.text,
      kind: column.oneOf<IndexedKind>(),
    },
    key: ['entry_id', 'note'],
    notMoved: 'the index is made from what was written',
  }),
};

export const indexQueueTables = {
  tables,
  migrations: { '001-first': createIndexQueue },
} satisfies FeatureTables;
