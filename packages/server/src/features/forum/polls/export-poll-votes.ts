import type { Id } from '@hearth/protocol';
import type { Context } from '../../../context.ts';
import { listed, type ExportPart } from '../../accounts/exports/exports.ts';
import { selectChoicesAfter, selectPolls } from './store.ts';

/** How many votes are read at a time. */
const AT_ONCE = 1_000;

/** What a person has chosen in polls, in those of the oldest posts first. */
export const exportPollVotes: ExportPart = async (ctx, userId) => [
  {
    name: 'poll-votes.json',
    modifiedAtMs: ctx.clock.unixMs(),
    read: () => listed(choicesOf(ctx, userId)),
  },
];

async function* choicesOf({ database }: Context, userId: Id): AsyncGenerator<object> {
  for (let after: Id | undefined; ;) {
    const range = { after, limit: AT_ONCE };
    const choices = await selectChoicesAfter(database.reader, userId, range);
    const polls = await selectPolls(
      database.reader,
      choices.map(({ postId }) => postId),
    );
    const texts = new Map(polls.map(({ postId, options }) => [postId, options]));
    for (const { postId, channelId, options, votedAtMs } of choices) {
      const chosen = (texts.get(postId) ?? []).filter(({ id }) => options.includes(id));
      const names = chosen.map(({ text }) => text);
      yield { channel_id: channelId, post_id: postId, options: names, created_at: votedAtMs };
    }
    after = choices.at(-1)?.postId;
    if (after === undefined) return;
  }
}
