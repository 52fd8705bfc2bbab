import type { FeatureTables } from '../../../ports/database/table-data.ts';
import { createSettings } from './migrations/001-settings.ts';

/** Single facts, such as the instance's id. */
interface SettingsTable {
  name: string;
  value: string;
}

/** The tables of this feature. */
export interface IdentityTables {
  settings: SettingsTable;
}

export const identityTables: FeatureTables<IdentityTables> = {
  tables: {
    settings: { columns: { name: 'text', value: 'text' }, key: ['name'] },
  },
  migrations: { '001-first': createSettings },
};
