import type { Id, Vote } from '@hearth/protocol';
import type { Context } from '../../../context.ts';
import { deletedUser, type KeepsUsers } from '../../accounts/users/users.ts';
import { selectVoters, type VotesRange } from './store.ts';

/** Who voted for something, the newest account first. */
export async function findVoters(
  ctx: Pick<Context, 'database'> & KeepsUsers,
  subjectId: Id,
  range: VotesRange,
): Promise<readonly Vote[]> {
  const votes = await selectVoters(ctx.database.reader, subjectId, range);
  const users = await ctx.users.all(votes.map(({ userId }) => userId));
  return votes.map(({ userId, value, castAtMs }) => ({
    user: users.get(userId) ?? deletedUser(userId),
    value,
    cast_at: castAtMs,
  }));
}
