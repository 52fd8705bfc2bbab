import { column, table, type FeatureTables } from '../../../ports/database/table-data.ts';
import { createStatics } from './migrations/001-statics.ts';

const tables = {
  /** The owner's static files. */
  statics: table({
    columns: {
      name: column.text,
      blob_key: column.text,
      content_type: column.text,
      added_at_ms: column.moment,
    },
    key: ['name'],
    refersTo: ['contents'],
  }),
};

export const staticsTables = {
  tables,
  migrations: { '001-first': createStatics },
} satisfies FeatureTables;
