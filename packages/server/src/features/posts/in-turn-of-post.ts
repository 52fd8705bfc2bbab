import type { Id } from '@hearth/protocol';
import type { EmittingTransaction } from '../../ports/outbox/outbox.ts';
import type { CommunityContext } from '../communities/community-context.ts';
import { holdRules } from '../communities/hold-rules.ts';
import { channelNow, emitAt } from '../messages/turn.ts';
import { asRead, lockAsRead } from './as-read.ts';
import { namedInEvents, postInEvents } from './post-in-events.ts';
import { lockPost, selectPost } from './store.ts';

/** Runs `work`, which changes a post, in the order of its channel, which is sent the post as it is then. */
export async function inTurnOfPost<Result>(
  ctx: CommunityContext,
  postId: Id,
  work: (tx: EmittingTransaction) => Promise<Result>,
): Promise<Result> {
  return await asRead(await selectPost(ctx.database.reader, postId), async (known) => {
    if (known === undefined) return await ctx.database.transaction(work);
    const named = await namedInEvents(ctx, [known]);
    return await ctx.database.transaction(async (tx) => {
      // First, as those do who change them: `work` may hold them too.
      await holdRules(tx, known.communityId);
      const place = await channelNow(tx, known.channelId);
      if (place === undefined) return await work(tx);
      await lockAsRead(tx, known);
      const result = await work(tx);
      const post = await lockPost(tx.sql, postId);
      if (post === undefined) throw new Error('the post is locked');
      await emitAt(tx, place, { op: 'POST_UPDATE', d: postInEvents(post, named) });
      return result;
    });
  });
}
