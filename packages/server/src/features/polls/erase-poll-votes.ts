import type { EraseContent } from '../erasure/eraser.ts';
import { selectChoicesAfter } from './store.ts';
import { takeBackChoice } from './vote-in-poll.ts';

/** How many votes are looked up at a time. */
const VOTES_AT_ONCE = 100;

/** Takes back what a deleted account has chosen in polls. */
export const erasePollVotes: EraseContent = async (ctx, { userId, signal }) => {
  for (let isDone = false; !isDone;) {
    const range = { after: undefined, limit: VOTES_AT_ONCE };
    const choices = await selectChoicesAfter(ctx.database.reader, userId, range);
    for (const { postId } of choices) {
      signal.throwIfAborted();
      await ctx.database.transaction((tx) => takeBackChoice(tx, { userId, postId }));
    }
    isDone = choices.length < VOTES_AT_ONCE;
  }
};
