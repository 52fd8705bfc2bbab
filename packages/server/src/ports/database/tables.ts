import type { FeatureTables } from './table-data.ts';
import { createChanges } from './migrations/003-changes.ts';

/** What was changed of what caches hold, the newest only; for processes that share a file. */
interface ChangesTable {
  number: number;
  kind: string;
  id: string;
}

/** The port's own tables. */
export interface PortTables {
  changes: ChangesTable;
}

export const portTables: FeatureTables<PortTables> = {
  tables: {
    changes: {
      columns: { number: 'number', kind: 'text', id: 'text' },
      key: ['number'],
      notMoved: 'they are for processes that have the file open',
    },
  },
  migrations: { '003-changes': createChanges },
};
