import type { Id } from '@hearth/protocol';
import type { Transaction } from '../../../ports/database/database.ts';
import type { EmittingTransaction } from '../../../ports/outbox/outbox.ts';
import { forgetNotificationsAbout } from '../../talk/notifications/notifications.ts';
import { takeForAnswer } from '../points/points.ts';
import {
  holdAudited,
  inTurnOfPost,
  setAccepted,
  setActivity,
  uncountComments,
  type CommentedPost,
  type PostsContext,
  type TurnOfPost,
} from '../posts/posts.ts';
import { deleteVotesFor } from '../votes/votes.ts';
import { selectActivity } from './counted-comment-store.ts';
import { addReplies, deleteComments, empty, lockComment } from './store.ts';
import type { StoredComment } from './stored-comment.ts';

/** The outcome of removing a comment: nothing is left of it and of deleted ones above it, or its place is. */
export type Removal =
  | {
      readonly removed: Id;
      readonly also: readonly Id[];
      /** The comment right above them that is left, with the replies that it still has. */
      readonly parent: { readonly id: Id; readonly reply_count: number } | undefined;
      readonly post: CommentedPost;
    }
  | { readonly emptied: StoredComment; readonly post: CommentedPost };

/** The comment is the accepted answer to the post, so the event for the post has to be sent as well. */
class IsAnswer extends Error {}

export interface Removing {
  readonly id: Id;
  readonly nowMs: number;
  /** For the ledger, if this may be the accepted answer: drawn before the transaction. */
  readonly ledgerId: Id | undefined;
}

/**
 * Deletes a comment on a post that is locked. If it has replies its place is kept, otherwise it is removed, and with it
 * deleted comments above it that have no other replies. Undefined if it was deleted before. Throws IsAnswer.
 */
export async function removeComment(
  tx: Transaction,
  before: CommentedPost,
  { id, nowMs, ledgerId }: Removing,
): Promise<Removal | undefined> {
  const comment = await lockComment(tx.sql, id);
  if (comment === undefined || comment.deletedAtMs > 0) return undefined;
  const post = await withoutAnswer(tx, before, { comment, nowMs, ledgerId });
  await forgetNotificationsAbout(tx.sql, post.channelId, [id]);
  if (comment.replyCount > 0) {
    const deletion = { deletedAtMs: nowMs, version: comment.version + 1 };
    await empty(tx.sql, comment, deletion);
    const left = { userId: '', content: '', mentions: {}, editedAtMs: 0 } as const;
    return { emptied: { ...comment, ...left, ...deletion }, post };
  }
  const gone = [id];
  let left: { readonly id: Id; readonly reply_count: number } | undefined;
  for (let { parentId } = comment; parentId !== '';) {
    const parent = await lockComment(tx.sql, parentId);
    if (parent === undefined) break;
    await addReplies(tx.sql, parentId, -1);
    if (parent.deletedAtMs === 0 || parent.replyCount > 1) {
      left = { id: parentId, reply_count: parent.replyCount - 1 };
      break;
    }
    gone.push(parentId);
    parentId = parent.parentId;
  }
  await deleteVotesFor(tx.sql, gone);
  await deleteComments(tx.sql, gone);
  const counted = await uncountComments(tx.sql, post, gone.length);
  return { removed: id, also: gone.slice(1), parent: left, post: counted };
}

/** Makes a post, which is locked, as active as the newest comment that is left, after these were deleted. */
export async function settleActivity(
  { sql }: Transaction,
  post: CommentedPost,
  deleted: readonly Pick<StoredComment, 'createdAtMs'>[],
): Promise<void> {
  if (!deleted.some(({ createdAtMs }) => createdAtMs === post.activeAtMs)) return;
  const activeAtMs = await selectActivity(sql, post);
  if (activeAtMs !== post.activeAtMs) await setActivity(sql, post, activeAtMs);
}

/** The post, whose accepted answer a comment is no longer. Takes back what that gave. */
async function withoutAnswer(
  tx: Transaction,
  post: CommentedPost,
  { comment, nowMs, ledgerId }: Omit<Removing, 'id'> & { readonly comment: StoredComment },
): Promise<CommentedPost> {
  const { id: commentId, userId: answeredBy } = comment;
  if (post.acceptedCommentId !== commentId || answeredBy === '') return post;
  if (ledgerId === undefined) throw new IsAnswer();
  const { communityId } = post;
  await takeForAnswer(tx, { id: ledgerId, communityId, answeredBy, commentId, nowMs });
  await setAccepted(tx.sql, post.id, '');
  return { ...post, acceptedCommentId: '' };
}

/**
 * Runs a transaction that removes comments on a post. If the accepted answer is among them, it runs again in the order of the
 * channel, which is sent the post without that answer; then `work` receives an id for the ledger of points.
 */
export async function removingAnswers<Result>(
  ctx: PostsContext,
  turn: TurnOfPost,
  work: (tx: EmittingTransaction, ledgerId: Id | undefined) => Promise<Result>,
): Promise<Result> {
  const { postId: _, audited, holdPeople, ...options } = turn;
  try {
    return await ctx.database.transaction(async (tx) => {
      if (audited !== undefined) await holdAudited(tx, audited);
      await holdPeople?.(tx);
      return await work(tx, undefined);
    }, options);
  } catch (error) {
    if (!(error instanceof IsAnswer)) throw error;
  }
  const ledgerId = await ctx.ids.next();
  return await inTurnOfPost(ctx, turn, (tx) => work(tx, ledgerId));
}
