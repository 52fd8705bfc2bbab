import type { Id } from '@hearth/protocol';
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
  user_id: Id;
  answer: string;
}

/** From where nobody registers. */
export interface RegistrationBlocksTable {
  key: string;
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
        created_at_ms: 'moment',
        expires_at_ms: 'moment',
        note: 'text',
      },
      key: ['code'],
    },
    registration_requests: {
      columns: { user_id: 'id', answer: 'text' },
      key: ['user_id'],
      people: { user_id: { rows: 'removed' } },
      refersTo: ['users'],
    },
    registration_blocks: {
      columns: {
        key: 'text',
        kind: 'text',
        value: 'text',
        created_at_ms: 'moment',
        until_ms: 'moment',
        reason: 'text',
      },
      key: ['key'],
    },
  },
  migrations: { '001-first': createRegistration },
};
