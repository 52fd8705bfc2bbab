import type { Id } from '@hearth/protocol';
import type { FeatureTables } from '../../../ports/database/table-data.ts';
import { createMailCodes } from './migrations/001-mail-codes.ts';

/** Codes that were sent by mail and can be redeemed. */
export interface MailCodesTable {
  /** SHA-256: the codes are random enough. Of a code that was made worthless, something else. */
  code_hash: string;
  user_id: Id;
  /** A notice has no code, and is only counted. */
  purpose: 'verify' | 'reset' | 'notice';
  /** The folded address that it was sent to, without which it is worth nothing; empty if it is worth nothing. */
  email_key: string;
  created_at_ms: number;
}

/** The tables of this feature. */
export interface MailCodesTables {
  mail_codes: MailCodesTable;
}

export const mailCodesTables: FeatureTables<MailCodesTables> = {
  tables: {
    mail_codes: {
      columns: {
        code_hash: 'text',
        user_id: 'id',
        purpose: 'text',
        email_key: 'text',
        created_at_ms: 'moment',
      },
      key: ['code_hash'],
      refersTo: ['users'],
      people: { user_id: { rows: 'removed' } },
    },
  },
  migrations: { '001-first': createMailCodes },
};
