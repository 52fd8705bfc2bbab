import { column, table, type FeatureTables } from '../../../ports/database/table-data.ts';
import { createSettings } from './migrations/001-settings.ts';

const tables = {
  /** Single facts, such as the instance's id. */
  settings: table({
    columns: {
      name: column.text,
      value: column.text,
    },
    key: ['name'],
  }),
};

export const settingsTables = {
  tables,
  migrations: { '001-first': createSettings },
} satisfies FeatureTables;
