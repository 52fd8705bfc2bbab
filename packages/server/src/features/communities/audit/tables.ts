import type { Id } from '@hearth/protocol';
import type { FeatureTables } from '../../../ports/database/table-data.ts';
import { createAuditLog } from './migrations/001-audit.ts';

/** What was done in communities. Text that does not apply is empty. */
export interface AuditEntriesTable {
  community_id: Id;
  /** With leading zeros to 39 digits, so that texts sort like their numbers. */
  id: Id;
  actor_id: Id;
  action: string;
  target_kind: string;
  target: string;
  target_name: string;
  /** The channel or category that it happened in. */
  channel_id: Id | '';
  /** 1 if that was restricted then. */
  in_restricted: number;
  reason: string;
  /** As JSON. */
  changes: string;
  created_at_ms: number;
}

/** The tables of this feature. */
export interface AuditTables {
  audit_entries: AuditEntriesTable;
}

export const auditTables: FeatureTables<AuditTables> = {
  tables: {
    audit_entries: {
      columns: {
        community_id: 'id',
        id: 'id',
        actor_id: 'id',
        action: 'text',
        target_kind: 'text',
        target: 'text',
        target_name: 'text',
        channel_id: 'id',
        in_restricted: 'number',
        reason: 'text',
        changes: 'text',
        created_at_ms: 'moment',
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
    },
  },
  migrations: { '001-first': createAuditLog },
};
