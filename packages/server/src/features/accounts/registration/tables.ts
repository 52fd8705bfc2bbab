import { column, table, type FeatureTables, type Row } from '../../../ports/database/table-data.ts';
import { createRegistration } from './migrations/001-registration.ts';

const tables = {
  /** Invites to register an account. */
  registration_invites: table({
    columns: {
      code: column.text,
      /** That of the owner makes an account with all permissions. There is at most one. */
      purpose: column.oneOf<'member' | 'owner'>(),
      /** The number of times that it may be used; 0 if there is no limit. */
      most_uses: column.number,
      uses: column.number,
      created_at_ms: column.moment,
      /** 0 for an invite that does not expire. */
      expires_at_ms: column.moment,
      /** The owner's note about it. */
      note: column.text,
    },
    key: ['code'],
  }),
  /** The answers of people who wait for approval. */
  registration_requests: table({
    columns: {
      user_id: column.id,
      answer: column.text,
    },
    key: ['user_id'],
    people: { user_id: { rows: 'removed' } },
    refersTo: ['users'],
  }),
  /** From where nobody registers. */
  registration_blocks: table({
    columns: {
      key: column.text,
      kind: column.oneOf<'domain' | 'clients'>(),
      /** A mail domain in lower case, or an address or range as `formatClientRange` writes it. */
      value: column.text,
      created_at_ms: column.moment,
      /** 0 for a block without an end. */
      until_ms: column.moment,
      reason: column.text,
    },
    key: ['key'],
  }),
};

export type RegistrationInvitesTable = Row<typeof tables.registration_invites>;

export type RegistrationBlocksTable = Row<typeof tables.registration_blocks>;

export const registrationTables = {
  tables,
  migrations: { '001-first': createRegistration },
} satisfies FeatureTables;
