import type { Id } from '@hearth/protocol';
import type { Reader, Database, Transaction, Writer } from '../../../ports/database/database.ts';
import { readRows } from '../../../ports/database/read-rows.ts';
import { SharedReads } from '../../../lib/shared-reads.ts';
import { countsAsActivity, ranksOf } from './ranks.ts';

/** The columns of a post that comments need. */
const COLUMNS = `id, channel_id as "channelId", community_id as "communityId", user_id as "userId",
  created_at_ms as "createdAtMs", locked, accepted_comment_id as "acceptedCommentId", comment_count as "commentCount",
  comment_number as "commentNumber", upvotes, downvotes, last_comment_at_ms as "activeAtMs",
  newest_comment_id as "newestCommentId", newest_comment_at_ms as "newestCommentAtMs"`;

/** The part of a post that comments need. */
export interface CommentedPost {
  readonly id: Id;
  readonly channelId: Id;
  readonly communityId: Id;
  readonly userId: Id;
  readonly createdAtMs: number;
  readonly isLocked: boolean;
  /** Empty if no comment was accepted. */
  readonly acceptedCommentId: Id | '';
  readonly commentCount: number;
  /** The number of its newest comment. */
  readonly commentNumber: number;
  readonly upvotes: number;
  readonly downvotes: number;
  /** When the newest comment was written that makes it active; 0 if there is none. */
  readonly activeAtMs: number;
  /** The greatest id of its comments, also of deleted ones; empty if there is none, or if it is not known. */
  readonly newestCommentId: Id | '';
  /** When that comment was written; 0 if it is not known. */
  readonly newestCommentAtMs: number;
}

/** The titles of those of the posts that there are. */
export async function selectTitles(
  db: Reader,
  ids: readonly Id[],
): Promise<ReadonlyMap<Id, string>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom('posts')
    .select(['id', 'title'])
    .where('id', 'in', ids)
    .execute();
  return new Map(rows.map((row) => [row.id, row.title]));
}

export async function findCommentedPost(db: Reader, id: Id): Promise<CommentedPost | undefined> {
  const text = `select ${COLUMNS} from posts where id = $1`;
  const [row] = await readRows<PostRow>(db, { text, values: [id] });
  return row && postOf(row);
}

/** Locks the post of comments: nobody else changes them, or the post, until the transaction ends. */
export async function lockCommentedPost(
  tx: Transaction,
  id: Id,
): Promise<CommentedPost | undefined> {
  return (await lockCommentedPosts(tx, [id])).get(id);
}

const LOCK = `select ${COLUMNS} from given join posts p on p.id = given.post_id order by p.id`;

/** Locks several posts, in the order of their ids. */
export async function lockCommentedPosts(
  tx: Transaction,
  ids: readonly Id[],
): Promise<ReadonlyMap<Id, CommentedPost>> {
  const rows = await tx.many<PostRow>({
    text: LOCK,
    columns: { post_id: 'text' },
    rows: ids.map((id) => [id]),
    locks: 'for update of p',
  });
  return new Map(rows.map(postOf).map((post) => [post.id, post]));
}

/** A post with one comment more. */
export function withComment(
  post: CommentedPost,
  {
    id,
    userId,
    createdAtMs,
  }: { readonly id: Id; readonly userId: Id; readonly createdAtMs: number },
): CommentedPost {
  return {
    ...post,
    commentCount: post.commentCount + 1,
    commentNumber: post.commentNumber + 1,
    activeAtMs: countsAsActivity(post, { userId, createdAtMs })
      ? Math.max(post.activeAtMs, createdAtMs)
      : post.activeAtMs,
    newestCommentId: id,
    newestCommentAtMs: createdAtMs,
  };
}

const COUNT = `update posts set comment_count = $1, comment_number = $2, last_comment_at_ms = $3, active = $4,
  newest_comment_id = $5, newest_comment_at_ms = $6 where id = $7`;

/** Stores what new comments have changed of a post that is locked. */
export async function updateCommented(tx: Transaction, post: CommentedPost): Promise<void> {
  const { newestCommentId: newest } = post;
  await tx.run({
    text: COUNT,
    values: [
      post.commentCount,
      post.commentNumber,
      post.activeAtMs,
      ranksOf(post).active,
      newest,
      post.newestCommentAtMs,
      post.id,
    ],
  });
}

/** Notes which comment on a post is accepted, or none. It is another version of the post then. */
export async function setAccepted(db: Writer, postId: Id, commentId: Id | ''): Promise<void> {
  await db
    .updateTable('posts')
    .set((own) => ({ accepted_comment_id: commentId, version: own('version', '+', 1) }))
    .where('id', '=', postId)
    .execute();
}

/** Counts so many comments less. */
export async function uncountComments(
  db: Writer,
  post: CommentedPost,
  count: number,
): Promise<CommentedPost> {
  const counted = { ...post, commentCount: post.commentCount - count };
  await db
    .updateTable('posts')
    .set({ comment_count: counted.commentCount })
    .where('id', '=', post.id)
    .execute();
  return counted;
}

/** Makes a post that is locked as active as a moment says; 0 if no comment counts. */
export async function setActivity(
  db: Writer,
  post: CommentedPost,
  activeAtMs: number,
): Promise<void> {
  const { active } = ranksOf({ ...post, activeAtMs });
  await db
    .updateTable('posts')
    .set({ last_comment_at_ms: activeAtMs, active })
    .where('id', '=', post.id)
    .execute();
}

type PostRow = Omit<CommentedPost, 'isLocked'> & { readonly locked: number };

function postOf({ locked, ...post }: PostRow): CommentedPost {
  return { ...post, isLocked: locked > 0 };
}

/** Finds posts with comments, each once for all who comment on it at the same time. */
export class CommentedPosts {
  readonly #database: Pick<Database, 'reader'>;
  readonly #reads = new SharedReads<Id, CommentedPost | undefined>();

  constructor(database: Pick<Database, 'reader'>) {
    this.#database = database;
  }

  /** A post as it was at the time of the call, or later. */
  find(id: Id): Promise<CommentedPost | undefined> {
    return this.#reads.read(id, () => findCommentedPost(this.#database.reader, id));
  }
}

export interface KeepsCommentedPosts {
  readonly commentedPosts: CommentedPosts;
}
