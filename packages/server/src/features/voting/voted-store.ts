import type { Id } from '@hearth/protocol';
import type { Reader, Transaction } from '../../ports/database/database.ts';
import { readRows } from '../../ports/database/read-rows.ts';
import { idIn, sortable } from '../../ports/database/sortable-id.ts';
import { storedId } from '../../ports/database/stored-id.ts';
import { ranksOf } from '../posts/ranks.ts';
import { voteOf, type CastVote } from '../votes/store.ts';
import type { Voted, VotedPlace, Votes } from '../votes/voted.ts';

const POST_COLUMNS = `p.id, p.id as post_id, p.channel_id, p.community_id, p.user_id, p.created_at_ms,
  p.last_comment_at_ms as active_at_ms, p.locked, p.upvotes, p.downvotes`;
const COMMENT_COLUMNS = `c.id, c.post_id, c.channel_id, c.community_id, c.user_id, c.created_at_ms, c.deleted_at_ms, p.locked,
  c.upvotes, c.downvotes`;

// Each vote runs these, so that they are prepared.
const SELECT = {
  post: `select ${POST_COLUMNS} from posts p where p.id = $1`,
  comment: `select ${COMMENT_COLUMNS} from comments c join posts p on p.id = c.post_id where c.id = $1`,
};
const LOCK = {
  post: `select ${POST_COLUMNS}, v.value, v.points from posts p
    left join votes v on v.subject_id = p.id and v.user_id = $1 where p.id = $2`,
  comment: `select ${COMMENT_COLUMNS}, v.value, v.points from comments c join posts p on p.id = c.post_id
    left join votes v on v.subject_id = c.id and v.user_id = $1 where c.id = $2`,
};
const LOCK_ALL = {
  post: `select ${POST_COLUMNS} from given join posts p on p.id = given.subject_id order by p.id`,
  comment: `select ${COMMENT_COLUMNS} from given join comments c on c.id = given.subject_id
    join posts p on p.id = c.post_id order by c.id`,
};
const LOCKS = {
  post: 'for no key update of p',
  comment: 'for no key update of c',
};
const UPDATE_POSTS = `update posts set hot = given.hot, active = given.active, upvotes = given.upvotes,
    downvotes = given.downvotes, score = given.score, controversial = given.controversial
  from given where posts.id = given.subject_id`;
const UPDATE_COMMENTS = `update comments set upvotes = given.upvotes, downvotes = given.downvotes, score = given.score,
    controversial = given.controversial
  from given where comments.id = given.subject_id`;
const UPDATED = {
  subject_id: 'text',
  upvotes: 'bigint',
  downvotes: 'bigint',
  score: 'bigint',
  controversial: 'double precision',
} as const;
const UPDATED_POST = { ...UPDATED, hot: 'double precision', active: 'double precision' } as const;

/** A post or comment. */
export async function selectVoted(
  db: Reader,
  { kind, id }: VotedPlace,
): Promise<Voted | undefined> {
  const [row] = await readRows<VotedRow>(db, { text: SELECT[kind], values: [sortable(id)] });
  return row && votedOf(kind, row);
}

/** The posts, or the comments, of a channel after one of them. */
export async function selectVotedIn(
  db: Reader,
  { kind, channelId }: { readonly kind: VotedPlace['kind']; readonly channelId: Id },
  { after, limit }: { readonly after: Id | undefined; readonly limit: number },
): Promise<readonly Id[]> {
  let query = db
    .selectFrom(kind === 'post' ? 'posts' : 'comments')
    .select('id')
    .where('channel_id', '=', channelId);
  if (after !== undefined) query = query.where('id', '>', sortable(after));
  const rows = await query.orderBy('id').limit(limit).execute();
  return rows.map((row) => idIn(row.id));
}

/** Something that nobody else changes until the transaction ends, and how somebody votes for it. */
export interface LockedVoted {
  readonly voted: Voted;
  readonly vote: CastVote | undefined;
}

/**
 * Locks a post or comment, so that nobody else changes it, and reads how somebody votes for it, who is locked already.
 */
export async function lockVoted(
  tx: Transaction,
  { kind, id }: VotedPlace,
  userId: Id,
): Promise<LockedVoted | undefined> {
  const values = [sortable(userId), sortable(id)];
  const [row] = await tx.rows<LockedRow>({ text: LOCK[kind], values, locks: LOCKS[kind] });
  if (row === undefined) return undefined;
  const vote = row.value === null ? undefined : voteOf(row.value, row.points ?? 0);
  return { voted: votedOf(kind, row), vote };
}

/** Locks several posts, or several comments, in the same way. Those that do not exist are left out. */
export async function lockAllVoted(
  tx: Transaction,
  kind: VotedPlace['kind'],
  ids: readonly Id[],
): Promise<readonly Voted[]> {
  const rows = await tx.many<VotedRow>({
    text: LOCK_ALL[kind],
    columns: { subject_id: 'text' },
    rows: ids.map((id) => [sortable(id)]),
    locks: LOCKS[kind],
  });
  return rows.map((row) => votedOf(kind, row));
}

/** The totals of several posts or comments. */
export async function selectTotals(
  db: Reader,
  kind: VotedPlace['kind'],
  ids: readonly Id[],
): Promise<ReadonlyMap<Id, Votes>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom(kind === 'post' ? 'posts' : 'comments')
    .select(['id', 'upvotes', 'downvotes'])
    .where('id', 'in', ids.map(sortable))
    .execute();
  return new Map(
    rows.map((row) => [
      idIn(row.id),
      { upvotes: Number(row.upvotes), downvotes: Number(row.downvotes) },
    ]),
  );
}

/** Something that is locked, and its totals. */
export interface Counted {
  readonly voted: Voted;
  readonly votes: Votes;
}

/** Stores the totals of posts and comments that are locked, and the ranks that follow from them. */
export async function updateVotes(tx: Transaction, counted: readonly Counted[]): Promise<void> {
  const posts: (string | number)[][] = [];
  const comments: (string | number)[][] = [];
  for (const { voted, votes } of counted) {
    const { kind, id, createdAtMs, activeAtMs } = voted;
    const { upvotes, downvotes } = votes;
    const ranks = ranksOf({ upvotes, downvotes, createdAtMs, activeAtMs });
    const row = [sortable(id), upvotes, downvotes, ranks.score, ranks.controversial];
    if (kind === 'post') posts.push([...row, ranks.hot, ranks.active]);
    else comments.push(row);
  }
  await tx.runMany({ text: UPDATE_POSTS, columns: UPDATED_POST, rows: posts });
  await tx.runMany({ text: UPDATE_COMMENTS, columns: UPDATED, rows: comments });
}

interface VotedRow {
  readonly id: string;
  readonly post_id: string;
  readonly channel_id: string;
  readonly community_id: string;
  readonly user_id: string;
  readonly created_at_ms: number;
  readonly active_at_ms?: number;
  readonly deleted_at_ms?: number;
  readonly locked: number;
  readonly upvotes: number;
  readonly downvotes: number;
}

interface LockedRow extends VotedRow {
  /** Null if there is no vote, like `points`. */
  readonly value: number | null;
  readonly points: number | null;
}

function votedOf(kind: VotedPlace['kind'], row: VotedRow): Voted {
  return {
    kind,
    id: idIn(row.id),
    postId: idIn(row.post_id),
    channelId: storedId(row.channel_id),
    communityId: storedId(row.community_id),
    authorId: storedId(row.user_id),
    createdAtMs: Number(row.created_at_ms),
    activeAtMs: Number(row.active_at_ms ?? 0),
    isLocked: Number(row.locked) > 0,
    isDeleted: Number(row.deleted_at_ms ?? 0) > 0,
    upvotes: Number(row.upvotes),
    downvotes: Number(row.downvotes),
  };
}
