import type { FeatureTables } from '../../../ports/database/table-data.ts';
import { createSettings } from './migrations/001-settings.ts';

/** Single facts, such as the instance's id. */
interface SettingsTable {
  name: string;
  value: string;
}

/** The tables of this feature. */
export interface SettingsTables {
  settings: SettingsTable;
}

export const settingsTables: FeatureTables<SettingsTables> = {
  tables: {
    settings: { columns: { name: 'text', value: 'text' }, key: ['name'] },
  },
  migrations: { '001-first': createSettings },
};
