import { readRows } from '../../../ports/database/read-rows.ts';
import { controversyOf } from '../posts/posts.ts';
import { countsOf, votedOf, type VotedRow, type VotedStore } from '../votes/votes.ts';

const COLUMNS = `c.id, c.post_id, c.channel_id, c.community_id, c.user_id, c.created_at_ms, c.deleted_at_ms, p.locked,
  c.upvotes, c.downvotes`;
// Each vote runs these, so that they are prepared.
const SELECT = `select ${COLUMNS} from comments c join posts p on p.id = c.post_id where c.id = $1`;
const LOCK = `select ${COLUMNS} from given join comments c on c.id = given.subject_id
    join posts p on p.id = c.post_id order by c.id`;
const UPDATE = `update comments set upvotes = given.upvotes, downvotes = given.downvotes, score = given.score,
    controversial = given.controversial
  from given where comments.id = given.subject_id`;
const UPDATED = {
  subject_id: 'text',
  upvotes: 'bigint',
  downvotes: 'bigint',
  score: 'bigint',
  controversial: 'double precision',
} as const;

/** What votes read and write of comments. */
export const votedComments: VotedStore = {
  async select(db, id) {
    const [row] = await readRows<VotedRow>(db, { text: SELECT, values: [id] });
    return row && votedOf('comment', row);
  },
  async selectIn(db, channelId, { after, limit }) {
    let query = db.selectFrom('comments').select('id').where('channel_id', '=', channelId);
    if (after !== undefined) query = query.where('id', '>', after);
    const rows = await query.orderBy('id').limit(limit).execute();
    return rows.map((row) => row.id);
  },
  async selectTotals(db, ids) {
    if (ids.length === 0) return new Map();
    const rows = await db
      .selectFrom('comments')
      .select(['id', 'upvotes', 'downvotes'])
      .where('id', 'in', ids)
      .execute();
    return new Map(rows.map((row) => [row.id, countsOf(row)]));
  },
  async lock(tx, ids) {
    const rows = await tx.many<VotedRow>({
      text: LOCK,
      columns: { subject_id: 'text' },
      rows: ids.map((id) => [id]),
      locks: 'for no key update of c',
    });
    return rows.map((row) => votedOf('comment', row));
  },
  async update(tx, counted) {
    const rows = counted.map(({ voted: { id }, votes: { upvotes, downvotes } }) => {
      const score = upvotes - downvotes;
      return [id, upvotes, downvotes, score, controversyOf(upvotes, downvotes)];
    });
    await tx.runMany({ text: UPDATE, columns: UPDATED, rows });
  },
};
