import type { Id } from '@hearth/protocol';
import type { EmittingTransaction } from '../../../ports/outbox/outbox.ts';
import { holdAudited, inTurnOfPost, type PostsContext, type TurnOfPost } from '../posts/posts.ts';
import { IsAnswer } from './remove-comment.ts';

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
