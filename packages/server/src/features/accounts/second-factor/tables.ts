import { column, table, type FeatureTables } from '../../../ports/database/table-data.ts';
import { createSecondFactor } from './migrations/001-second-factor.ts';

const tables = {
  /** Secrets that accounts share with an app. */
  totp: table({
    columns: {
      user_id: column.id,
      /** In base 32; empty until a code has proved that the app has it. */
      secret: column.text,
      /** The one that is being set up; empty if there is none. */
      new_secret: column.text,
      /** The time step of the last code that was accepted: no code is accepted twice. */
      last_step: column.number,
    },
    key: ['user_id'],
    refersTo: ['users'],
    people: { user_id: { rows: 'removed' } },
  }),
  /** Codes that replace a code of the app, each once. */
  recovery_codes: table({
    columns: {
      /** SHA-256: the codes are random enough. */
      code_hash: column.text,
      user_id: column.id,
    },
    key: ['code_hash'],
    refersTo: ['users'],
    people: { user_id: { rows: 'removed' } },
  }),
};

export const secondFactorTables = {
  tables,
  migrations: { '001-first': createSecondFactor },
} satisfies FeatureTables;
