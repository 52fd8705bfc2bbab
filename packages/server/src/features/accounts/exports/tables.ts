import type { Id } from '@hearth/protocol';
import type { FeatureTables } from '../../../ports/database/table-data.ts';
import { createExports } from './migrations/001-exports.ts';

/** The archives of people who want a copy of what the instance has of them: one of each person. */
interface ExportsTable {
  user_id: Id;
  state: 'working' | 'ready' | 'failed';
  /** How many parts are in the archive, and how many there will be. */
  done: number;
  total: number;
  /** 128 random bits, by which the archive is fetched. */
  key: string;
  /** Null until it is ready. */
  blob_key: string | null;
  requested_at_ms: number;
  /** When it is removed. */
  expires_at_ms: number;
}

/** The tables of this feature. */
export interface ExportsTables {
  exports: ExportsTable;
}

export const exportsTables: FeatureTables<ExportsTables> = {
  tables: {
    exports: {
      columns: {
        user_id: 'id',
        state: 'text',
        done: 'number',
        total: 'number',
        key: 'text',
        blob_key: 'text',
        requested_at_ms: 'moment',
        expires_at_ms: 'moment',
      },
      key: ['user_id'],
      refersTo: ['users', 'contents'],
      people: { user_id: { rows: 'removed' } },
    },
  },
  migrations: { '001-first': createExports },
};
