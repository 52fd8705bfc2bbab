import { readRows } from '../../../ports/database/read-rows.ts';
import { countsOf, votedOf, type VotedRow, type VotedStore } from '../votes/votes.ts';
import { ranksOf } from './ranks.ts';

const COLUMNS = `p.id, p.id as post_id, p.channel_id, p.community_id, p.user_id, p.created_at_ms,
  p.last_comment_at_ms as active_at_ms, p.locked, p.upvotes, p.downvotes`;
// Each vote runs these, so that they are prepared.
const SELECT = `select ${COLUMNS} from posts p where p.id = $1`;
const LOCK = `select ${COLUMNS} from given join posts p on p.id = given.subject_id order by p.id`;
const UPDATE = `update posts set hot = given.hot, active = given.active, upvotes = given.upvotes,
    downvotes = given.downvotes, score = given.score, controversial = given.controversial
  from given where posts.id = given.subject_id`;
const UPDATED = {
  subject_id: 'text',
  upvotes: 'bigint',
  downvotes: 'bigint',
  score: 'bigint',
  controversial: 'double precision',
  hot: 'double precision',
  active: 'double precision',
} as const;

/** What votes read and write of posts. */
export const votedPosts: VotedStore = {
  async select(db, id) {
    const [row] = await readRows<VotedRow>(db, { text: SELECT, values: [id] });
    return row && votedOf('post', row);
  },
  async selectIn(db, channelId, { after, limit }) {
    let query = db.selectFrom('posts').select('id').where('channel_id', '=', channelId);
    if (after !== undefined) query = query.where('id', '>', after);
    const rows = await query.orderBy('id').limit(limit).execute();
    return rows.map((row) => row.id);
  },
  async selectTotals(db, ids) {
    if (ids.length === 0) return new Map();
    const rows = await db
      .selectFrom('posts')
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
      locks: 'for no key update of p',
    });
    return rows.map((row) => votedOf('post', row));
  },
  async update(tx, counted) {
    const rows = counted.map(({ voted: { id, createdAtMs, activeAtMs }, votes }) => {
      const { score, controversial, hot, active } = ranksOf({ ...votes, createdAtMs, activeAtMs });
      return [id, votes.upvotes, votes.downvotes, score, controversial, hot, active];
    });
    await tx.runMany({ text: UPDATE, columns: UPDATED, rows });
  },
};
