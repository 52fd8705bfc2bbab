import type { Id } from '@hearth/protocol';
import type { FeatureTables } from '../../../ports/database/table-data.ts';
import { createSessions } from './migrations/001-sessions.ts';

/** Sessions. Their rows are kept after they end. */
export interface SessionsTable {
  id: Id;
  user_id: Id;
  /** The SHA-256 of the secret in its token, so that nobody can make a token from a row. */
  secret_hash: string;
  /** That of the token before the last renewal, and until when it is accepted. */
  former_hash: string;
  former_until_ms: number;
  client_name: string;
  client_platform: string;
  /** The network that it was used from last. */
  address_hint: string;
  created_at_ms: number;
  last_used_at_ms: number;
  /** 0 for a session that has not ended. */
  ended_at_ms: number;
}

/** The keys of the instance's tokens, in one row. */
export interface TokenKeysTable {
  name: string;
  /** As JSON, described by `tokenKeysSchema`. */
  keys: string;
}

/** The tables of this feature. */
export interface SessionsTables {
  sessions: SessionsTable;
  token_keys: TokenKeysTable;
}

export const sessionsTables: FeatureTables<SessionsTables> = {
  tables: {
    sessions: {
      columns: {
        id: 'id',
        user_id: 'id',
        secret_hash: 'text',
        former_hash: 'text',
        former_until_ms: 'moment',
        client_name: 'text',
        client_platform: 'text',
        address_hint: 'text',
        created_at_ms: 'moment',
        last_used_at_ms: 'moment',
        ended_at_ms: 'moment',
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
    },
    token_keys: { columns: { name: 'text', keys: 'text' }, key: ['name'] },
  },
  migrations: { '001-first': createSessions },
};

declare module '../../../ports/database/database.ts' {
  interface ChangeKinds {
    /** The session with this id ended or has a new token. */
    sessions: true;
    /** The key that signs tokens was replaced. */
    token_keys: true;
  }
}
