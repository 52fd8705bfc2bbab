import { column, table, type FeatureTables } from '../../../ports/database/table-data.ts';
import { createPoints } from './migrations/001-points.ts';

const tables = {
  /** The points of people in communities: the sum of what their votes and the ledger say. */
  member_points: table({
    columns: {
      community_id: column.id,
      user_id: column.id,
      /** In thousandths. */
      points: column.number,
    },
    key: ['community_id', 'user_id'],
    removedWith: { community: 'community_id' },
    people: { user_id: { rows: 'removed' } },
  }),
  /** Points that were given or taken otherwise than by votes. Rows are added, and never changed. */
  point_ledger: table({
    columns: {
      id: column.id,
      community_id: column.id,
      user_id: column.id,
      kind: column.oneOf<'accepted_answer'>(),
      /** The comment that was accepted. */
      subject_id: column.id,
      /** In thousandths; less than 0 if they were taken back. */
      points: column.number,
      created_at_ms: column.moment,
    },
    key: ['id'],
    removedWith: { community: 'community_id' },
    people: { user_id: { rows: 'removed' } },
  }),
};

export const pointsTables = {
  tables,
  migrations: { '001-first': createPoints },
} satisfies FeatureTables;
