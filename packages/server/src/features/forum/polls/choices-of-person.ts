import type { Id } from '@hearth/protocol';
import type { Context } from '../../../context.ts';
import type { EraseContent } from '../../accounts/erasure/erasure.ts';
import { listFile, type ExportPart } from '../../accounts/exports/exports.ts';
import { takeBackChoice } from './choose.ts';
import { selectChoicesAfter, selectPolls, type PollChoice } from './store.ts';

/** The number of choices that are read at a time. */
const AT_ONCE = 1_000;

/** Exports what a person has chosen in polls, in those of the oldest posts first. */
export const exportPollVotes: ExportPart = async (ctx, userId) => [
  listFile(ctx, 'poll-votes.json', () => exported(ctx, userId)),
];

/** Takes back what a deleted account has chosen in polls. */
export const erasePollVotes: EraseContent = async (ctx, { userId, signal }) => {
  for await (const choices of choicesOf(ctx, userId)) {
    for (const { postId } of choices) {
      signal.throwIfAborted();
      await ctx.database.transaction((tx) => takeBackChoice(tx, { userId, postId }));
    }
  }
};

async function* exported(ctx: Context, userId: Id): AsyncGenerator<object> {
  for await (const choices of choicesOf(ctx, userId)) {
    const ids = choices.map(({ postId }) => postId);
    const polls = await selectPolls(ctx.database.reader, ids);
    const texts = new Map(polls.map(({ postId, options }) => [postId, options]));
    for (const { postId, channelId, options, votedAtMs } of choices) {
      const chosen = (texts.get(postId) ?? []).filter(({ id }) => options.includes(id));
      const names = chosen.map(({ text }) => text);
      yield { channel_id: channelId, post_id: postId, options: names, created_at: votedAtMs };
    }
  }
}

async function* choicesOf(
  { database }: Context,
  userId: Id,
): AsyncGenerator<readonly PollChoice[]> {
  for (let after: Id | undefined; ;) {
    const choices = await selectChoicesAfter(database.reader, userId, { after, limit: AT_ONCE });
    yield choices;
    after = choices.at(-1)?.postId;
    if (after === undefined) return;
  }
}
