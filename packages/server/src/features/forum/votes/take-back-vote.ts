import type { Id } from '@hearth/protocol';
import type { Transaction } from '../../../ports/database/database.ts';
import { addPoints } from '../points/points.ts';
import { takeVote, type CastVote, type VoteCast } from './store.ts';

/** Takes back a vote, with the points that it gave. Returns what it was; undefined if it is not there any more. */
export async function takeBackVote(
  tx: Transaction,
  { id, communityId, authorId }: Pick<VoteCast, 'id' | 'communityId' | 'authorId'>,
  voterId: Id,
): Promise<CastVote | undefined> {
  const vote = await takeVote(tx, id, voterId);
  if (vote !== undefined) {
    await addPoints(tx, { communityId, userId: authorId, points: -vote.points });
  }
  return vote;
}
