import { column, table, type FeatureTables, type Row } from '../../../ports/database/table-data.ts';
import { createSessions } from './migrations/001-sessions.ts';

const tables = {
  /** Sessions. Their rows are kept after they end. */
  sessions: table({
    columns: {
      id: column.id,
      user_id: column.id,
      /** The SHA-256 of the secret in its token, so that nobody can make a token from a row. */
      secret_hash: column.text,
      /** That of the token before the last renewal, and until when it is accepted. */
      former_hash: column.text,
      former_until_ms: column.moment,
      client_name: column.text,
      client_platform: column.text,
      /** The network that it was used from last. */
      address_hint: column.text,
      created_at_ms: column.moment,
      last_used_at_ms: column.moment,
      /** 0 for a session that has not ended. */
      ended_at_ms: column.moment,
    },
    key: ['id'],
    refersTo: ['users'],
    people: {
      user_id: {
        rows: 'emptied',
        columns: ['client_name', 'client_platform', 'address_hint'],
        because: 'a token of a deleted account is answered with token_ended',
      },
    },
  }),
  /** The keys of the instance's tokens, in one row. */
  token_keys: table({
    columns: {
      name: column.text,
      /** As JSON, described by `tokenKeysSchema`. */
      keys: column.text,
    },
    key: ['name'],
  }),
};

export type SessionsTable = Row<typeof tables.sessions>;

export const sessionsTables = {
  tables,
  migrations: { '001-first': createSessions },
} satisfies FeatureTables;

declare module '../../../ports/database/database.ts' {
  interface ChangeKinds {
    /** The session with this id ended or has a new token. */
    sessions: true;
    /** The key that signs tokens was replaced. */
    token_keys: true;
  }
}
