import { column, table, type FeatureTables, type Row } from '../../../ports/database/table-data.ts';
import { createAuditLog } from './migrations/001-audit.ts';

const tables = {
  /** Acts in communities. Text that does not apply is empty. */
  audit_entries: table({
    columns: {
      community_id: column.id,
      id: column.id,
      actor_id: column.id,
      action: column.text,
      target_kind: column.text,
      target: column.text,
      target_name: column.text,
      /** The channel or category that it happened in. */
      channel_id: column.optionalId,
      /** 1 if that was restricted then. */
      in_restricted: column.number,
      reason: column.text,
      /** As JSON. */
      changes: column.text,
      created_at_ms: column.moment,
    },
    key: ['community_id', 'id'],
    removedWith: { community: 'community_id' },
    refersTo: ['communities'],
    people: {
      actor_id: {
        rows: 'kept',
        because: 'a community keeps what was done in it; a deleted account is shown as such',
      },
      target: {
        rows: 'emptied',
        columns: ['reason', 'changes'],
        because: 'a community keeps what was done in it; a deleted account is shown as such',
      },
    },
  }),
};

export type AuditEntriesTable = Row<typeof tables.audit_entries>;

export const auditTables = {
  tables,
  migrations: { '001-first': createAuditLog },
} satisfies FeatureTables;
