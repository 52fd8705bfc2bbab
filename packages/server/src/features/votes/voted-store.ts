import type { Id } from '@hearth/protocol';
import type { Reader, Transaction, Writer } from '../../ports/database/database.ts';
import { readRows } from '../../ports/database/read-rows.ts';
import { idIn, sortable } from '../../ports/database/sortable-id.ts';
import { storedId } from '../../ports/database/stored-id.ts';
import { ranksOf } from '../post-lists/ranks.ts';
import type { Voted, VotedPlace, Votes } from './voted.ts';

// Each vote runs these, so that they are prepared.
const POST = `select id, id as post_id, channel_id, community_id, user_id, created_at_ms, last_comment_at_ms as active_at_ms,
  locked, upvotes, downvotes from posts where id = $1`;
const COMMENT = `select c.id, c.post_id, c.channel_id, c.community_id, c.user_id, c.created_at_ms, c.deleted_at_ms, p.locked,
  c.upvotes, c.downvotes from comments c join posts p on p.id = c.post_id where c.id = $1`;
const UPDATE_POST = `update posts set hot = $1, active = $2, upvotes = $3, downvotes = $4, score = $5, controversial = $6
  where id = $7`;
const UPDATE_COMMENT = `update comments set upvotes = $1, downvotes = $2, score = $3, controversial = $4 where id = $5`;

/** A post or comment. */
export async function selectVoted(
  db: Reader,
  { kind, id }: VotedPlace,
): Promise<Voted | undefined> {
  const text = kind === 'post' ? POST : COMMENT;
  const [row] = await readRows<VotedRow>(db, { text, values: [sortable(id)] });
  return row && votedOf(kind, row);
}

/** The same, and nobody else changes it until the transaction ends. */
export async function lockVoted(db: Writer, { kind, id }: VotedPlace): Promise<Voted | undefined> {
  const row =
    kind === 'post'
      ? await postRow(db, id).forUpdate().executeTakeFirst()
      : await commentRow(db, id).forUpdate('comments').executeTakeFirst();
  return row && votedOf(kind, row);
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

function postRow(db: Reader, id: Id) {
  return db
    .selectFrom('posts')
    .select([
      'id',
      'id as post_id',
      'channel_id',
      'community_id',
      'user_id',
      'created_at_ms',
      'last_comment_at_ms as active_at_ms',
      'locked',
      'upvotes',
      'downvotes',
    ])
    .where('id', '=', sortable(id));
}

function commentRow(db: Reader, id: Id) {
  return db
    .selectFrom('comments')
    .innerJoin('posts', 'posts.id', 'comments.post_id')
    .select([
      'comments.id',
      'comments.post_id',
      'comments.channel_id',
      'comments.community_id',
      'comments.user_id',
      'comments.created_at_ms',
      'comments.deleted_at_ms',
      'posts.locked',
      'comments.upvotes',
      'comments.downvotes',
    ])
    .where('comments.id', '=', sortable(id));
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
