import { NotFoundError, ValidationError, type Id } from '@hearth/protocol';
import { MOST_COMMENT_DEPTH } from '@hearth/protocol/schemas';
import { notBefore } from '../../../lib/stored-moment.ts';
import { dropOut, type EmittingTransaction, type Outcome } from '../../../ports/outbox/outbox.ts';
import { holdAccesses } from '../../communities/structure/structure.ts';
import { actingIn, channelPlace, inChannel, withIdsAbove } from '../../talk/places/places.ts';
import { correct, type NotWritten, type Now } from '../../talk/writing/writing.ts';
import {
  lockCommentedPosts,
  updateCommented,
  withComment,
  type CommentedPost,
} from '../posts/posts.ts';
import { isStill, requireOpen } from './comment-access.ts';
import type { CommentDraft, CommentEntry, PlacedComment } from './comment-draft.ts';
import { addAllReplies, insertNewComments, lockComments } from './store.ts';
import { pathBelow, type StoredComment } from './stored-comment.ts';

/**
 * Locks what comments are written on, and gives each its place there. Lets those drop out who may not comment there, or of whom
 * something else was known.
 */
export async function placeComments(
  tx: EmittingTransaction,
  entries: readonly CommentEntry[],
  now: Now,
): Promise<readonly PlacedComment[]> {
  await requireAccess(tx, entries, now);
  const locked = await lockPlaces(tx, entries);
  const numbered = await aboveNewest(tx, entries, { ...now, posts: locked.posts.values() });
  return placedIn(numbered, locked, now.nowMs);
}

/** Keeps what the authors may do as it is. Lets those drop out who may not comment, or of whom something else was known. */
async function requireAccess(
  tx: EmittingTransaction,
  entries: readonly CommentEntry[],
  { ctx }: Now,
): Promise<void> {
  const all = entries.map(({ turning }) => actingIn(turning));
  const { held } = await holdAccesses(tx, ctx, { all, locks: 'strangers' });
  dropOut(
    entries.flatMap(({ at, turning }, place): readonly (readonly [number, Outcome])[] => {
      const own = held[place];
      if (own === undefined) return [];
      if ('error' in own) return [[at, own]];
      const result: NotWritten = { outdated: channelPlace(own.access) };
      return isStill(inChannel(turning.access), own.access) ? [] : [[at, { result }]];
    }),
  );
}

/** Rows that nobody else changes until the transaction ends. */
interface Locked {
  readonly posts: ReadonlyMap<Id, CommentedPost>;
  /** The comments that are replied to. */
  readonly parents: ReadonlyMap<Id, StoredComment>;
}

/** Locks the posts, and then the comments that are replied to. Lets those drop out that are refused there. */
async function lockPlaces(
  tx: EmittingTransaction,
  entries: readonly CommentEntry[],
): Promise<Locked> {
  const posts = new Set(entries.map(({ draft: { postId } }) => postId));
  const parents = new Set(entries.flatMap(({ draft: { parentId } }) => parentId || []));
  const locked = {
    posts: await lockCommentedPosts(tx, [...posts]),
    parents: await lockComments(tx, [...parents]),
  };
  dropOut(
    entries.flatMap((entry) => {
      try {
        requirePlace(entry, locked);
        return [];
      } catch (error) {
        return [[entry.at, { error }] as const];
      }
    }),
  );
  return locked;
}

/** Throws NotFoundError, ForbiddenError, and ValidationError if nothing can reply to what a comment replies to. */
function requirePlace(
  { turning, draft: { postId, parentId } }: CommentEntry,
  { posts, parents }: Locked,
): void {
  const post = posts.get(postId);
  if (post === undefined) throw new NotFoundError();
  requireOpen(inChannel(turning.access), post);
  if (parentId === '') return;
  const parent = parents.get(parentId);
  if (parent === undefined || parent.postId !== post.id || parent.deletedAtMs > 0) {
    throw new ValidationError('parent_id', 'must be the id of a comment on the post');
  }
  if (parent.depth >= MOST_COMMENT_DEPTH) {
    const most = MOST_COMMENT_DEPTH;
    throw new ValidationError(
      'parent_id',
      `must be a comment that is less than ${most} levels deep`,
    );
  }
}

/** The comments with ids that exceed those on their posts. Corrects what their nonces create. */
async function aboveNewest(
  tx: EmittingTransaction,
  entries: readonly CommentEntry[],
  { ctx, nowMs, posts }: Now & { readonly posts: Iterable<CommentedPost> },
): Promise<readonly CommentEntry[]> {
  const newest = Array.from(posts, ({ newestCommentId }) => newestCommentId);
  const greater = withIdsAbove(ctx, entries, newest);
  if (greater === entries) return entries;
  await correct(tx, greater, { nonceIn: ({ draft: { postId } }) => postId, nowMs });
  return greater;
}

/** Comments in the order of their posts: their numbers, ids and times rise together. */
function placedIn(
  entries: readonly CommentEntry[],
  locked: Locked,
  nowMs: number,
): readonly PlacedComment[] {
  const posts = new Map(locked.posts);
  const replies = new Map<Id, number>();
  return entries.map((entry) => {
    const { draft } = entry;
    const { postId } = draft;
    const before = posts.get(postId);
    if (before === undefined) throw new TypeError('a post is not locked');
    const parent = draft.parentId === '' ? undefined : locked.parents.get(draft.parentId);
    const createdAtMs = notBefore(before.newestCommentAtMs, nowMs);
    const post = withComment(before, { id: entry.id, userId: draft.author.id, createdAtMs });
    posts.set(postId, post);
    const parentReplyCount = parent && (replies.get(parent.id) ?? parent.replyCount) + 1;
    if (parent !== undefined) replies.set(parent.id, parentReplyCount ?? 0);
    const comment = commentBelow(parent, post, { ...draft, createdAtMs });
    return { ...entry, writtenAtMs: createdAtMs, comment, post, parentReplyCount };
  });
}

function commentBelow(
  parent: StoredComment | undefined,
  post: CommentedPost,
  { author, content, mentions, createdAtMs }: CommentDraft & { readonly createdAtMs: number },
): StoredComment {
  if (post.newestCommentId === '') throw new TypeError('a post without the comment');
  return {
    id: post.newestCommentId,
    postId: post.id,
    channelId: post.channelId,
    communityId: post.communityId,
    userId: author.id,
    number: post.commentNumber,
    path: pathBelow(parent?.path ?? '', post.commentNumber),
    parentId: parent?.id ?? '',
    depth: parent === undefined ? 0 : parent.depth + 1,
    content,
    mentions,
    createdAtMs,
    editedAtMs: 0,
    deletedAtMs: 0,
    upvotes: 0,
    downvotes: 0,
    score: 0,
    controversial: 0,
    replyCount: 0,
    version: 1,
  };
}

/** Stores comments, and counts them in their posts and in the comments that they reply to. */
export async function storePlaced(
  tx: EmittingTransaction,
  placed: readonly PlacedComment[],
): Promise<void> {
  await insertNewComments(
    tx,
    placed.map(({ comment }) => comment),
  );
  const posts = new Map(placed.map(({ post }) => [post.id, post]));
  for (const post of posts.values()) await updateCommented(tx, post);
  const replies = new Map<Id, number>();
  for (const { comment } of placed) {
    if (comment.parentId !== '') {
      replies.set(comment.parentId, (replies.get(comment.parentId) ?? 0) + 1);
    }
  }
  await addAllReplies(tx, replies);
}
