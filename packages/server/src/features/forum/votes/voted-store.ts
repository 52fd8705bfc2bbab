import { readRows } from '../../../ports/database/read-rows.ts';
import type { Voted, VotedPlace, VotedStore } from './voted.ts';

/**
 * The columns that are read of a post or a comment: only a post is active, and only a comment is deleted and keeps its
 * place.
 */
interface VotedRow extends Omit<Voted, 'kind' | 'activeAtMs' | 'isLocked' | 'isDeleted'> {
  readonly activeAtMs?: number;
  readonly deletedAtMs?: number;
  readonly locked: number;
}

/** The way in which votes read posts or comments: with these columns, and with these joins. */
interface VotedTable {
  readonly kind: VotedPlace['kind'];
  readonly table: 'posts' | 'comments';
  /** The name of the table in the columns and the joins. */
  readonly alias: string;
  readonly columns: string;
  readonly joins?: string;
}

/** Returns what votes read of a table, and lock. */
export function votedStore({
  kind,
  table,
  alias,
  columns,
  joins = '',
}: VotedTable): Omit<VotedStore, 'update'> {
  // Each vote runs these, so that they are prepared.
  const selectText = `select ${columns} from ${table} ${alias} ${joins} where ${alias}.id = $1`;
  const lockText = `select ${columns} from given join ${table} ${alias} on ${alias}.id = given.subject_id ${joins}
    order by ${alias}.id`;
  return {
    async select(db, id) {
      const [row] = await readRows<VotedRow>(db, { text: selectText, values: [id] });
      return row && votedOf(kind, row);
    },
    async selectIn(db, channelId, { after, limit }) {
      let query = db.selectFrom(table).select('id').where('channel_id', '=', channelId);
      if (after !== undefined) query = query.where('id', '>', after);
      const rows = await query.orderBy('id').limit(limit).execute();
      return rows.map((row) => row.id);
    },
    async selectTotals(db, ids) {
      if (ids.length === 0) return new Map();
      const rows = await db
        .selectFrom(table)
        .select(['id', 'upvotes', 'downvotes'])
        .where('id', 'in', ids)
        .execute();
      return new Map(rows.map(({ id, ...votes }) => [id, votes]));
    },
    async lock(tx, ids) {
      const rows = await tx.many<VotedRow>({
        text: lockText,
        columns: { subject_id: 'text' },
        rows: ids.map((id) => [id]),
        locks: `for no key update of ${alias}`,
      });
      return rows.map((row) => votedOf(kind, row));
    },
  };
}

/** Something that people vote for, of its row. */
function votedOf(
  kind: VotedPlace['kind'],
  { activeAtMs = 0, deletedAtMs = 0, locked, ...row }: VotedRow,
): Voted {
  return { kind, ...row, activeAtMs, isLocked: locked > 0, isDeleted: deletedAtMs > 0 };
}
