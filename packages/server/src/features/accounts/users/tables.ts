import type { Id } from '@hearth/protocol';
import type { FeatureTables } from '../../../ports/database/table-data.ts';
import { createUsers } from './migrations/001-users.ts';

/** Accounts. Text that a person has not given is empty. */
export interface UsersTable {
  id: Id;
  username: string;
  display_name: string;
  bio: string;
  pronouns: string;
  avatar: Id | '';
  banner: Id | '';
  email: string;
  /** The folded address, by which it is unique; null if there is none. */
  email_key: string | null;
  /** 0 if the address is not verified. */
  email_verified_at_ms: number;
  /** The address that replaces it once it is verified; empty if there is none. */
  pending_email: string;
  password_hash: string;
  /** 0 for an account without a second factor. */
  totp_since_ms: number;
  state: 'active' | 'pending' | 'disabled' | 'deleted';
  /** 1 if the account was deleted with what its person wrote and uploaded. */
  erases_content: number;
  /** The digits of a mask of the staff's permissions. */
  staff_permissions: string;
  /** What the person's clients keep, as JSON. */
  settings: string;
  /** Whose invite to a community the account was registered with; empty if it was none, or if that account was deleted. */
  invited_by: Id | '';
  created_at_ms: number;
  version: number;
}

/** The names that are taken, by what they look like. */
export interface UserNamesTable {
  skeleton: string;
  username: string;
  user_id: Id;
  /** When a name that was given up becomes free; 0 for a name in use. */
  free_at_ms: number;
  /** By which rules the skeleton was computed. */
  look_version: number;
}

/** The tables of this feature. */
export interface UsersTables {
  users: UsersTable;
  user_names: UserNamesTable;
}

export const usersTables: FeatureTables<UsersTables> = {
  tables: {
    users: {
      columns: {
        id: 'id',
        username: 'text',
        display_name: 'text',
        bio: 'text',
        pronouns: 'text',
        avatar: 'id',
        banner: 'id',
        email: 'text',
        email_key: 'text',
        email_verified_at_ms: 'moment',
        pending_email: 'text',
        password_hash: 'text',
        totp_since_ms: 'moment',
        state: 'text',
        erases_content: 'number',
        staff_permissions: 'text',
        settings: 'text',
        invited_by: 'id',
        created_at_ms: 'moment',
        version: 'number',
      },
      key: ['id'],
      people: {
        id: {
          rows: 'kept',
          because:
            'others refer to it; DELETE /users/me empties it at once but for the id and the times',
        },
        invited_by: {
          rows: 'emptied',
          columns: ['invited_by'],
          because: 'those who were invited keep their accounts',
        },
      },
    },
    user_names: {
      columns: {
        skeleton: 'text',
        username: 'text',
        user_id: 'id',
        free_at_ms: 'moment',
        look_version: 'number',
      },
      key: ['skeleton'],
      refersTo: ['users'],
      people: {
        user_id: {
          rows: 'kept',
          because: 'nobody may take the name for a year; a job removes it then',
        },
      },
    },
  },
  migrations: { '001-first': createUsers },
};

declare module '../../../ports/database/database.ts' {
  interface ChangeKinds {
    /** A name was taken or given up; the id is its skeleton. */
    names: true;
    /** What others see of the user with this id, or what the user may do, was changed. */
    users: true;
  }
}
