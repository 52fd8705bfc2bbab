import type { Id } from '@hearth/protocol';
import type { EmittingTransaction } from '../../ports/outbox/outbox.ts';
import type { CommunityContext } from '../communities/community-context.ts';
import { channelNow, emitAt } from '../messages/turn.ts';
import { namedInEvents, postInEvents } from './post-in-events.ts';
import { lockPost, selectPost } from './store.ts';

/** Runs `work`, which changes a post, in the order of its channel, which is sent the post as it is then. */
export async function inTurnOfPost<Result>(
  ctx: CommunityContext,
  postId: Id,
  work: (tx: EmittingTransaction) => Promise<Result>,
): Promise<Result> {
  const known = await selectPost(ctx.database.reader, postId);
  const named = known && (await namedInEvents(ctx, [known]));
  return await ctx.database.transaction(async (tx) => {
    const turn = known && (await channelNow(tx, known.channelId));
    const result = await work(tx);
    const post = turn && (await lockPost(tx.sql, postId));
    if (turn !== undefined && post !== undefined && named !== undefined) {
      await emitAt(tx, turn, { op: 'POST_UPDATE', d: postInEvents(post, named) });
    }
    return result;
  });
}
