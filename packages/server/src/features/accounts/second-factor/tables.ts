import type { Id } from '@hearth/protocol';
import type { FeatureTables } from '../../../ports/database/table-data.ts';
import { createSecondFactor } from './migrations/001-second-factor.ts';

/** Secrets that accounts share with an app. */
export interface TotpTable {
  user_id: Id;
  /** In base 32; empty until a code has proved that the app has it. */
  secret: string;
  /** The one that is being set up; empty if there is none. */
  new_secret: string;
  /** The time step of the last code that was accepted: no code is accepted twice. */
  last_step: number;
}

/** Codes that replace a code of the app, each once. */
export interface RecoveryCodesTable {
  /** SHA-256: the codes are random enough. */
  code_hash: string;
  user_id: Id;
}

/** The tables of this feature. */
export interface SecondFactorTables {
  totp: TotpTable;
  recovery_codes: RecoveryCodesTable;
}

export const secondFactorTables: FeatureTables<SecondFactorTables> = {
  tables: {
    totp: {
      columns: { user_id: 'id', secret: 'text', new_secret: 'text', last_step: 'number' },
      key: ['user_id'],
      refersTo: ['users'],
      people: { user_id: { rows: 'removed' } },
    },
    recovery_codes: {
      columns: { code_hash: 'text', user_id: 'id' },
      key: ['code_hash'],
      refersTo: ['users'],
      people: { user_id: { rows: 'removed' } },
    },
  },
  migrations: { '001-first': createSecondFactor },
};
