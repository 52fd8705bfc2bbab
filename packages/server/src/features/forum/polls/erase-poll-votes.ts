import type { Id } from '@hearth/protocol';
import type { EraseContent } from '../../accounts/erasure/erasure.ts';
import { takeBackChoice } from './choose.ts';
import { selectChoicesAfter } from './store.ts';

/** How many votes are looked up at a time. */
const VOTES_AT_ONCE = 100;

/** Takes back what a deleted account has chosen in polls. */
export const erasePollVotes: EraseContent = async (ctx, { userId, signal }) => {
  for (let after: Id | undefined; ;) {
    const range = { after, limit: VOTES_AT_ONCE };
    const choices = await selectChoicesAfter(ctx.database.reader, userId, range);
    for (const { postId } of choices) {
      signal.throwIfAborted();
      await ctx.database.transaction((tx) => takeBackChoice(tx, { userId, postId }));
    }
    after = choices.at(-1)?.postId;
    if (choices.length < VOTES_AT_ONCE) return;
  }
};
