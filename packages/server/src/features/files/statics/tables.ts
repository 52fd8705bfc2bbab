import type { FeatureTables } from '../../../ports/database/table-data.ts';
import { createStatics } from './migrations/001-statics.ts';

/** The owner's static files. */
interface StaticsTable {
  name: string;
  blob_key: string;
  content_type: string;
  added_at_ms: number;
}

/** The tables of this feature. */
export interface StaticsTables {
  statics: StaticsTable;
}

export const staticsTables: FeatureTables<StaticsTables> = {
  tables: {
    statics: {
      columns: { name: 'text', blob_key: 'text', content_type: 'text', added_at_ms: 'moment' },
      key: ['name'],
      refersTo: ['contents'],
    },
  },
  migrations: { '001-first': createStatics },
};
