import { column, table, type FeatureTables } from './table-data.ts';
import { createChanges } from './migrations/001-changes.ts';

const tables = {
  /** The newest changes to what caches hold, for processes that share a file. */
  changes: table({
    columns: {
      number: column.number,
      kind: column.text,
      subject: column.text,
    },
    key: ['number'],
    people: {
      subject: {
        rows: 'kept',
        because: 'only the newest thousand rows are kept, of whatever was changed',
      },
    },
    notMoved: 'its rows are for processes that have the file open',
  }),
};

export const portTables = {
  tables,
  migrations: { '001-first': createChanges },
} satisfies FeatureTables;
