import type { Id } from '@hearth/protocol';
import type { Context } from '../../../context.ts';
import { selectVotesOf } from './store.ts';

/** How somebody votes for these posts and comments; those without a vote are left out. */
export function findVotes(
  { database }: Pick<Context, 'database'>,
  userId: Id,
  subjectIds: readonly Id[],
): Promise<ReadonlyMap<Id, 1 | -1>> {
  return selectVotesOf(database.reader, userId, subjectIds);
}
