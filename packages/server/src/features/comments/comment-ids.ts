import { compareIds, type Id } from '@hearth/protocol';
import { DroppedOut, type EmittingTransaction } from '../../ports/outbox/outbox.ts';
import type { CommunityContext } from '../communities/community-context.ts';
import { IdTooLow } from '../messages/turn.ts';
import { correctNonces } from '../nonces/claim-nonce.ts';
import type { CommentedPost } from '../posts/commented-post.ts';
import { holdIndexes } from '../search/hold-index.ts';
import { nonceOf, type Entry } from './comment-write.ts';

/** Keeps the indexes of the channels from passing the ids of the comments. */
export async function aboveIndexes(
  tx: EmittingTransaction,
  entries: readonly Entry[],
  ctx: CommunityContext,
): Promise<readonly Entry[]> {
  const channels = new Set(entries.map(({ acting }) => acting.access.channel.id));
  const indexed = await holdIndexes(tx, [...channels]);
  return withGreaterIds(ctx, entries, indexed.values());
}

/** The comments with ids that exceed those on their posts. Corrects what their nonces create. */
export async function aboveNewest(
  tx: EmittingTransaction,
  entries: readonly Entry[],
  {
    ctx,
    posts,
    nowMs,
  }: {
    readonly ctx: CommunityContext;
    readonly posts: Iterable<CommentedPost>;
    readonly nowMs: number;
  },
): Promise<readonly Entry[]> {
  const newest = Array.from(posts, ({ newestCommentId }) => newestCommentId);
  const greater = withGreaterIds(ctx, entries, newest);
  if (greater === entries) return entries;
  const withNonce = greater.filter(({ draft }) => draft.nonce !== '');
  await correctNonces(
    tx,
    withNonce.map((entry) => nonceOf(entry, nowMs)),
  );
  return greater;
}

/** Comments whose ids exceed others, as those that were drawn nearly always do, and rise in their order. */
function withGreaterIds(
  { ids }: Pick<CommunityContext, 'ids'>,
  entries: readonly Entry[],
  others: Iterable<Id | ''>,
): readonly Entry[] {
  const [first] = entries;
  const newest = [...others]
    .flatMap((id) => id || [])
    .toSorted(compareIds)
    .at(-1);
  if (first === undefined || newest === undefined || compareIds(first.id, newest) > 0) {
    return entries;
  }
  const greater: Entry[] = [];
  for (const entry of entries) {
    const id = ids.afterNow(greater.at(-1)?.id ?? newest);
    if (id === undefined) {
      const error = new IdTooLow(newest);
      throw new DroppedOut(new Map(entries.map(({ at }) => [at, { error }])));
    }
    greater.push({ ...entry, id });
  }
  return greater;
}
