import type { Id } from '@hearth/protocol';
import type { TransactionOptions } from '../../../ports/database/database.ts';
import type { EmittingTransaction } from '../../../ports/outbox/outbox.ts';
import { holdRules, keepCommunity } from '../../communities/structure/structure.ts';
import { channelNow, emitAt } from '../../talk/places/places.ts';
import { asRead, lockAsRead } from './as-read.ts';
import { namedInEvents, postInEvents } from './post-in-events.ts';
import type { PostsContext } from './posts-context.ts';
import { lockPost, selectPost } from './store.ts';

/** A transaction that changes a post, and what it locks besides. */
export interface TurnOfPost extends TransactionOptions {
  readonly postId: Id;
  /** The community in whose audit log it is noted, if it is. */
  readonly audited?: Id;
  /** Locks people. */
  readonly holdPeople?: (tx: EmittingTransaction) => Promise<void>;
}

/** Locks a community of which somebody does something as it is, and notes that in its audit log. */
export async function holdAudited(tx: EmittingTransaction, communityId: Id): Promise<void> {
  await holdRules(tx, communityId);
  await keepCommunity(tx, communityId);
}

/** Runs `work`, which changes a post, in the order of its channel, which is sent the post as it is then. */
export async function inTurnOfPost<Result>(
  ctx: PostsContext,
  { postId, audited, holdPeople, ...options }: TurnOfPost,
  work: (tx: EmittingTransaction) => Promise<Result>,
): Promise<Result> {
  return await asRead(await selectPost(ctx.database.reader, postId), async (known) => {
    if (known === undefined) {
      return await ctx.database.transaction(async (tx) => {
        if (audited !== undefined) await holdAudited(tx, audited);
        await holdPeople?.(tx);
        return await work(tx);
      }, options);
    }
    const named = await namedInEvents(ctx, [known]);
    return await ctx.database.transaction(async (tx) => {
      await holdRules(tx, known.communityId);
      if (audited !== undefined) await keepCommunity(tx, audited);
      const place = await channelNow(tx, ctx, known.channelId);
      await holdPeople?.(tx);
      if (place === undefined) return await work(tx);
      await lockAsRead(tx, known);
      const result = await work(tx);
      const post = await lockPost(tx.sql, postId);
      if (post === undefined) throw new Error('the post is locked');
      await emitAt(tx, place, { op: 'POST_UPDATE', d: postInEvents(post, named) });
      return result;
    }, options);
  });
}
