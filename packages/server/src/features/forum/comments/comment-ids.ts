import type { Context } from '../../../context.ts';
import type { EmittingTransaction } from '../../../ports/outbox/outbox.ts';
import { withIdsAbove } from '../../talk/places/places.ts';
import { correctNonces } from '../../platform/nonces/nonces.ts';
import type { CommentedPost } from '../posts/posts.ts';
import { nonceOf, type Entry } from './comment-write.ts';

/** The comments with ids that exceed those on their posts. Corrects what their nonces create. */
export async function aboveNewest(
  tx: EmittingTransaction,
  entries: readonly Entry[],
  {
    ctx,
    posts,
    nowMs,
  }: {
    readonly ctx: Pick<Context, 'ids'>;
    readonly posts: Iterable<CommentedPost>;
    readonly nowMs: number;
  },
): Promise<readonly Entry[]> {
  const newest = Array.from(posts, ({ newestCommentId }) => newestCommentId);
  const greater = withIdsAbove(ctx, entries, newest);
  if (greater === entries) return entries;
  const withNonce = greater.filter(({ draft }) => draft.nonce !== '');
  await correctNonces(
    tx,
    withNonce.map((entry) => nonceOf(entry, nowMs)),
  );
  return greater;
}
