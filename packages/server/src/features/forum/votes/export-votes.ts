import type { Id } from '@hearth/protocol';
import type { Context } from '../../../context.ts';
import { listFile, type ExportPart } from '../../accounts/exports/exports.ts';
import { selectVotesAfter, type VoteCast } from './store.ts';

/** The votes of somebody, those for the oldest posts and comments first; so many are read at a time. */
export async function* votesOf(
  { database }: Pick<Context, 'database'>,
  userId: Id,
  { atOnce }: { readonly atOnce: number },
): AsyncGenerator<VoteCast> {
  for (let after: Id | undefined; ;) {
    const votes = await selectVotesAfter(database.reader, userId, { after, limit: atOnce });
    yield* votes;
    after = votes.at(-1)?.id;
    if (after === undefined) return;
  }
}

/** How many votes are read at a time. */
const AT_ONCE = 1_000;

/** The votes of a person, those for the oldest posts and comments first. */
export const exportVotes: ExportPart = async (ctx, userId) => [
  listFile(ctx, 'votes.json', () => exported(ctx, userId)),
];

async function* exported(ctx: Context, userId: Id): AsyncGenerator<object> {
  for await (const vote of votesOf(ctx, userId, { atOnce: AT_ONCE })) {
    const { kind, id, channelId, value, castAtMs } = vote;
    yield {
      channel_id: channelId,
      [kind === 'post' ? 'post_id' : 'comment_id']: id,
      value,
      created_at: castAtMs,
    };
  }
}
