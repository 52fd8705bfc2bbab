import type { FeatureTables } from './table-data.ts';
import { createChanges } from './migrations/001-changes.ts';

/** The newest changes to what caches hold, for processes that share a file. */
interface ChangesTable {
  number: number;
  kind: string;
  subject: string;
}

/** The port's own tables. */
export interface PortTables {
  changes: ChangesTable;
}

export const portTables: FeatureTables<PortTables> = {
  tables: {
    changes: {
      columns: { number: 'number', kind: 'text', subject: 'text' },
      key: ['number'],
      people: {
        subject: {
          rows: 'kept',
          because: 'only the newest thousand rows are kept, of whatever was changed',
        },
      },
      notMoved: 'its rows are for processes that have the file open',
    },
  },
  migrations: { '001-first': createChanges },
};
