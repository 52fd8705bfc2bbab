import type { Id } from '@hearth/protocol';
import type { Context } from '../../context.ts';
import type { ExportPart } from '../exports/export-part.ts';
import { listed } from '../exports/listed.ts';
import { selectVotesAfter } from './store.ts';

/** How many votes are read at a time. */
const AT_ONCE = 1_000;

/** The votes of a person, those for the oldest posts and comments first. */
export const exportVotes: ExportPart = async (ctx, userId) => [
  {
    name: 'votes.json',
    modifiedAtMs: ctx.clock.unixMs(),
    read: () => listed(votesOf(ctx, userId)),
  },
];

async function* votesOf({ database }: Context, userId: Id): AsyncGenerator<object> {
  for (let after: Id | undefined; ;) {
    const votes = await selectVotesAfter(database.reader, userId, { after, limit: AT_ONCE });
    for (const { kind, id, channelId, value, castAtMs } of votes) {
      yield {
        channel_id: channelId,
        [kind === 'post' ? 'post_id' : 'comment_id']: id,
        value,
        created_at: castAtMs,
      };
    }
    after = votes.at(-1)?.id;
    if (after === undefined) return;
  }
}
