import { column, table, type FeatureTables, type Row } from '../../../ports/database/table-data.ts';
import { createModeration } from './migrations/001-moderation.ts';

const tables = {
  /** Restrictions of the owner for everyone, by name, as JSON. */
  restrictions: table({
    columns: {
      name: column.text,
      value: column.text,
    },
    key: ['name'],
  }),
  /** Banned clients. */
  bans: table({
    columns: {
      key: column.text,
      /** An address or a range, as `formatClientRange` writes it. */
      clients: column.text,
      created_at_ms: column.moment,
      /** 0 for a ban without an end. */
      until_ms: column.moment,
      reason: column.text,
    },
    key: ['key'],
  }),
  /** Bans of the authors of messages, for the process that still knows the author's address. */
  ban_requests: table({
    columns: {
      key: column.text,
      message_id: column.id,
      created_at_ms: column.moment,
      until_ms: column.moment,
      reason: column.text,
    },
    key: ['key'],
    notMoved: 'only a running instance can answer its rows',
  }),
};

export type BansTable = Row<typeof tables.bans>;

export const moderationTables = {
  tables,
  migrations: { '001-first': createModeration },
} satisfies FeatureTables;

declare module '../../../ports/database/database.ts' {
  interface ChangeKinds {
    /** The owner changed what is restricted; the id is the table. */
    moderation: true;
  }
}
