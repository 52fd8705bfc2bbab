import type { Id } from '@hearth/protocol';
import type { Reader, Transaction } from '../../ports/database/database.ts';
import { readRows } from '../../ports/database/read-rows.ts';
import { idIn, sortable } from '../../ports/database/sortable-id.ts';
import { storedId } from '../../ports/database/stored-id.ts';
import { ranksOf } from '../post-lists/ranks.ts';
import { voteOf, type CastVote } from './store.ts';
import type { Voted, VotedPlace, Votes } from './voted.ts';

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
const LOCKS = {
  post: 'for no key update of p',
  comment: 'for no key update of c',
};
const UPDATE_POST = `update posts set hot = $1, active = $2, upvotes = $3, downvotes = $4, score = $5, controversial = $6
  where id = $7`;
const UPDATE_COMMENT = `update comments set upvotes = $1, downvotes = $2, score = $3, controversial = $4 where id = $5`;

/** A post or comment. */
export async function selectVoted(
  db: Reader,
  { kind, id }: VotedPlace,
): Promise<Voted | undefined> {
  const [row] = await readRows<VotedRow>(db, { text: SELECT[kind], values: [sortable(id)] });
  return row && votedOf(kind, row);
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

/** Stores the totals of something that is locked, and the ranks that follow from them. */
export async function updateVotes(
  tx: Transaction,
  { kind, id, createdAtMs, activeAtMs }: Voted,
  { upvotes, downvotes }: Votes,
): Promise<void> {
  const ranked = { upvotes, downvotes, createdAtMs, activeAtMs };
  const { score, hot, active, controversial } = ranksOf(ranked);
  const values = [upvotes, downvotes, score, controversial, sortable(id)];
  if (kind === 'post') await tx.run({ text: UPDATE_POST, values: [hot, active, ...values] });
  else await tx.run({ text: UPDATE_COMMENT, values });
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
