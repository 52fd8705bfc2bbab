import type { FeatureTables } from '../../../ports/database/table-data.ts';
import { createRegistration } from './migrations/001-registration.ts';

/** Invites to register an account. */
export interface RegistrationInvitesTable {
  code: string;
  /** That of the owner makes an account with all permissions. There is at most one. */
  purpose: 'member' | 'owner';
  /** How often it may be used; 0 if there is no limit. */
  most_uses: number;
  uses: number;
  created_at_ms: number;
  /** 0 for an invite that does not expire. */
  expires_at_ms: number;
  /** What the owner wrote about it. */
  note: string;
}

/** What people answered who wait for approval. */
interface RegistrationRequestsTable {
  user_id: string;
  answer: string;
}

/** From where nobody registers. */
export interface RegistrationBlocksTable {
  id: string;
  kind: 'domain' | 'clients';
  /** A mail domain in lower case, or an address or range as `formatClientRange` writes it. */
  value: string;
  created_at_ms: number;
  /** 0 for a block without an end. */
  until_ms: number;
  reason: string;
}

/** The tables of this feature. */
export interface RegistrationTables {
  registration_invites: RegistrationInvitesTable;
  registration_requests: RegistrationRequestsTable;
  registration_blocks: RegistrationBlocksTable;
}

export const registrationTables: FeatureTables<RegistrationTables> = {
  tables: {
    registration_invites: {
      columns: {
        code: 'text',
        purpose: 'text',
        most_uses: 'number',
        uses: 'number',
        created_at_ms: 'number',
        expires_at_ms: 'number',
        note: 'text',
      },
      key: ['code'],
    },
    registration_requests: {
      columns: { user_id: 'text', answer: 'text' },
      key: ['user_id'],
      people: { user_id: { rows: 'removed' } },
      refersTo: ['users'],
    },
    registration_blocks: {
      columns: {
        id: 'text',
        kind: 'text',
        value: 'text',
        created_at_ms: 'number',
        until_ms: 'number',
        reason: 'text',
      },
      key: ['id'],
    },
  },
  migrations: { '001-first': createRegistration },
};
