import type { FeatureTables } from '../../ports/database/table-data.ts';
import { indexRemovals } from './migrations/040-purge.ts';

/** No tables, but what removing rows of others needs. */
export const purgeTables: FeatureTables<Record<never, never>> = {
  tables: {},
  migrations: { '040-purge': indexRemovals },
};
