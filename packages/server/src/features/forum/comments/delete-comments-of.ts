import type { Id } from '@hearth/protocol';
import { forgetNotificationsAbout } from '../../talk/notifications/notifications.ts';
import { lockCommentedPost, rangeOf, type PostsContext, type WrittenBy } from '../posts/posts.ts';
import { deleteVotesFor } from '../votes/votes.ts';
import type { EraseContent } from '../../accounts/erasure/erasure.ts';
import { announceRemoval } from './delete-comment.ts';
import { removeComment, removingAnswers, settleActivity, type Removal } from './remove-comment.ts';
import { deleteComments, selectCommentsOf } from './store.ts';
import type { StoredComment } from './stored-comment.ts';

/** The number of comments that are looked up at a time, and that go in one transaction. */
const AT_ONCE = 1_000;
const IN_ONE_TRANSACTION = 50;

/** Deletes comments of a person, some at a time. It may be interrupted and repeated. */
export async function deleteCommentsOf(
  ctx: PostsContext,
  { userId, signal, ...where }: WrittenBy,
): Promise<void> {
  const range = { ...rangeOf(where), limit: AT_ONCE };
  for (let after: Id | undefined; ;) {
    const found = await selectCommentsOf(ctx.database.reader, userId, { ...range, after });
    for (const [postId, all] of Map.groupBy(found, (comment) => comment.postId)) {
      for (let from = 0; from < all.length; from += IN_ONE_TRANSACTION) {
        signal.throwIfAborted();
        await deleteOn(ctx, postId, all.slice(from, from + IN_ONE_TRANSACTION));
      }
    }
    after = found.at(-1)?.id;
    if (after === undefined || found.length < AT_ONCE) return;
  }
}

async function deleteOn(
  ctx: PostsContext,
  postId: Id,
  comments: readonly StoredComment[],
): Promise<void> {
  const removals = await removingAnswers(ctx, { postId }, async (tx, ledgerId) => {
    const done: Removal[] = [];
    let post = await lockCommentedPost(tx, postId);
    if (post === undefined) {
      const ids = comments.map(({ id }) => id);
      await deleteVotesFor(tx.sql, ids);
      for (const { id, channelId } of comments) {
        await forgetNotificationsAbout(tx.sql, channelId, [id]);
        await deleteComments(tx.sql, [id]);
      }
      return done;
    }
    // The deepest first, so that fewer places are kept.
    for (const { id } of comments.toSorted((one, other) => other.depth - one.depth)) {
      const removal = await removeComment(tx, post, { id, nowMs: ctx.clock.unixMs(), ledgerId });
      if (removal === undefined) continue;
      ({ post } = removal);
      done.push(removal);
    }
    await settleActivity(tx, post, comments);
    return done;
  });
  const [first] = comments;
  if (first === undefined || removals.length === 0) return;
  const community = await ctx.communities.get(first.communityId);
  const channel = community?.channelById.get(first.channelId);
  if (channel === undefined) return;
  for (const removal of removals) announceRemoval(ctx, { channel }, removal);
}

/**
 * Deletes the comments of a deleted account, unless the person lets them stay: then they are those of a deleted account,
 * which has no name.
 */
export const eraseComments: EraseContent<PostsContext> = async (
  ctx,
  { userId, content, signal },
) => {
  if (content === 'erase') await deleteCommentsOf(ctx, { userId, signal });
};
