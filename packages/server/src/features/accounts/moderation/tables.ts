import type { Id } from '@hearth/protocol';
import type { FeatureTables } from '../../../ports/database/table-data.ts';
import { createModeration } from './migrations/001-moderation.ts';

/** What the owner restricts for everyone, by name, as JSON. */
interface RestrictionsTable {
  name: string;
  value: string;
}

/** Banned clients. */
export interface BansTable {
  key: string;
  /** An address or a range, as `formatClientRange` writes it. */
  clients: string;
  created_at_ms: number;
  /** 0 for a ban without an end. */
  until_ms: number;
  reason: string;
}

/** Bans of the authors of messages, for the process that still knows the author's address. */
interface BanRequestsTable {
  key: string;
  message_id: Id;
  created_at_ms: number;
  until_ms: number;
  reason: string;
}

/** The tables of this feature. */
export interface ModerationTables {
  restrictions: RestrictionsTable;
  bans: BansTable;
  ban_requests: BanRequestsTable;
}

const ofBan = { key: 'text', created_at_ms: 'moment', until_ms: 'moment', reason: 'text' } as const;

export const moderationTables: FeatureTables<ModerationTables> = {
  tables: {
    restrictions: { columns: { name: 'text', value: 'text' }, key: ['name'] },
    bans: { columns: { ...ofBan, clients: 'text' }, key: ['key'] },
    ban_requests: {
      columns: { ...ofBan, message_id: 'id' },
      key: ['key'],
      notMoved: 'only a running instance can answer its rows',
    },
  },
  migrations: { '001-first': createModeration },
};

declare module '../../../ports/database/database.ts' {
  interface ChangeKinds {
    /** The owner changed what is restricted; the id is the table. */
    moderation: true;
  }
}
