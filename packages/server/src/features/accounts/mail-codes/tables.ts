import { column, table, type FeatureTables, type Row } from '../../../ports/database/table-data.ts';
import { createMailCodes } from './migrations/001-mail-codes.ts';

const tables = {
  /** Codes that were sent by mail and can be redeemed. */
  mail_codes: table({
    columns: {
      /** SHA-256: the codes are random enough. Of a code that was made worthless, something else. */
      code_hash: column.text,
      user_id: column.id,
      /** A notice has no code, and is only counted. */
      purpose: column.oneOf<'verify' | 'reset' | 'notice'>(),
      /** The folded address that it was sent to, without which it is worth nothing; empty if it is worth nothing. */
      email_key: column.text,
      created_at_ms: column.moment,
    },
    key: ['code_hash'],
    refersTo: ['users'],
    people: { user_id: { rows: 'removed' } },
  }),
};

export type MailCodesTable = Row<typeof tables.mail_codes>;

export const mailCodesTables = {
  tables,
  migrations: { '001-first': createMailCodes },
} satisfies FeatureTables;
