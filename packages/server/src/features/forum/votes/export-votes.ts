import type { Id } from '@hearth/protocol';
import type { Context } from '../../../context.ts';
import { listFile, type ExportPart } from '../../accounts/exports/exports.ts';
import { letOthersRun } from '../../../lib/let-others-run.ts';
import type { Reader } from '../../../ports/database/database.ts';
import { NO_ID } from '../../../ports/database/stored-id.ts';
import { selectVotesAfter, type VoteCast, type VoteKey, type VotesAfter } from './store.ts';

/** The votes of somebody, those for the oldest posts and comments first. */
export async function* votesOf(db: Reader, userId: Id): AsyncGenerator<VoteCast> {
  let after: VoteKey | undefined = { subjectId: NO_ID, userId: NO_ID };
  while (after !== undefined) {
    const { votes, last }: VotesAfter = await selectVotesAfter(db, userId, after);
    yield* votes;
    after = last;
    await letOthersRun();
  }
}

/** The votes of a person, those for the oldest posts and comments first. */
export const exportVotes: ExportPart = async (ctx, userId) => [
  listFile(ctx, 'votes.json', () => exported(ctx, userId)),
];

async function* exported(ctx: Context, userId: Id): AsyncGenerator<object> {
  for await (const vote of votesOf(ctx.database.reader, userId)) {
    const { kind, id, channelId, value, castAtMs } = vote;
    yield {
      channel_id: channelId,
      [kind === 'post' ? 'post_id' : 'comment_id']: id,
      value,
      created_at: castAtMs,
    };
  }
}
