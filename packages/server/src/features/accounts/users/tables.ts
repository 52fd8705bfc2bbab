import type { StaffPermission } from '@hearth/protocol';
import { column, table, type FeatureTables, type Row } from '../../../ports/database/table-data.ts';
import { createUsers } from './migrations/001-users.ts';

const tables = {
  /** Accounts. Text that a person has not given is empty. */
  users: table({
    columns: {
      id: column.id,
      username: column.text,
      display_name: column.text,
      bio: column.text,
      pronouns: column.text,
      avatar: column.optionalId,
      banner: column.optionalId,
      email: column.text,
      /** The folded address, by which it is unique; null if there is none. */
      email_key: column.nullable(column.text),
      /** 0 if the address is not verified. */
      email_verified_at_ms: column.moment,
      /** The address that replaces it once it is verified; empty if there is none. */
      pending_email: column.text,
      password_hash: column.text,
      /** 0 for an account without a second factor. */
      totp_since_ms: column.moment,
      state: column.oneOf<'active' | 'pending' | 'disabled' | 'deleted'>(),
      /** 1 if the account was deleted with what its person wrote and uploaded. */
      erases_content: column.number,
      staff_permissions: column.mask<StaffPermission>(),
      /** Settings that the person's clients keep, as JSON. */
      settings: column.text,
      /** Whose invite to a community the account was registered with; empty if it was none, or if that account was deleted. */
      invited_by: column.optionalId,
      created_at_ms: column.moment,
      version: column.number,
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
  }),
  /** The names that are taken, by what they look like. */
  user_names: table({
    columns: {
      skeleton: column.text,
      username: column.text,
      user_id: column.id,
      /** When a name that was given up becomes free; 0 for a name in use. */
      free_at_ms: column.moment,
      /** By which rules the skeleton was computed. */
      look_version: column.number,
    },
    key: ['skeleton'],
    refersTo: ['users'],
    people: {
      user_id: {
        rows: 'kept',
        because: 'nobody may take the name for a year; a job removes it then',
      },
    },
  }),
};

export type UsersTable = Row<typeof tables.users>;

export const usersTables = {
  tables,
  migrations: { '001-first': createUsers },
} satisfies FeatureTables;

declare module '../../../ports/database/database.ts' {
  interface ChangeKinds {
    /** A name was taken or given up; the id is its skeleton. */
    names: true;
    /** The user with this id has changed, as others see them, or what the user may do. */
    users: true;
  }
}
