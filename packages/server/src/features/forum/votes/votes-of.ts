import type { Id } from '@hearth/protocol';
import type { Context } from '../../../context.ts';
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
