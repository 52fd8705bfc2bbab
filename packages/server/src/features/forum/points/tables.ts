import type { Id } from '@hearth/protocol';
import type { FeatureTables } from '../../../ports/database/table-data.ts';
import { createPoints } from './migrations/001-points.ts';

/** The points of people in communities: the sum of what their votes and the ledger say. */
export interface MemberPointsTable {
  community_id: Id;
  user_id: Id;
  /** In thousandths. */
  points: number;
}

/** Points that were given or taken otherwise than by votes. Rows are added, and never changed. */
export interface PointLedgerTable {
  /** With leading zeros to 39 digits. */
  id: Id;
  community_id: Id;
  user_id: Id;
  kind: 'accepted_answer';
  /** The comment that was accepted, with leading zeros to 39 digits. */
  subject_id: Id;
  /** In thousandths; less than 0 if they were taken back. */
  points: number;
  created_at_ms: number;
}

/** The tables of this feature. */
export interface PointsTables {
  member_points: MemberPointsTable;
  point_ledger: PointLedgerTable;
}

export const pointsTables: FeatureTables<PointsTables> = {
  tables: {
    member_points: {
      columns: {
        community_id: 'id',
        user_id: 'id',
        points: 'number',
      },
      key: ['community_id', 'user_id'],
      removedWith: { community: 'community_id' },
      people: { user_id: { rows: 'removed' } },
    },
    point_ledger: {
      columns: {
        id: 'id',
        community_id: 'id',
        user_id: 'id',
        kind: 'text',
        subject_id: 'id',
        points: 'number',
        created_at_ms: 'moment',
      },
      key: ['id'],
      removedWith: { community: 'community_id' },
      people: { user_id: { rows: 'removed' } },
    },
  },
  migrations: { '001-first': createPoints },
};
