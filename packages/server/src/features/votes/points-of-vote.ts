import type { Id } from '@hearth/protocol';
import type { Transaction } from '../../ports/database/database.ts';
import { POINT_RULES } from '../points/point-rules.ts';
import { countGiving } from './store.ts';
import type { Voted } from './voted.ts';

interface Giving {
  readonly by: { readonly userId: Id; readonly createdAtMs: number };
  readonly voted: Voted;
  readonly nowMs: number;
}

/** What a vote up gives the author, in thousandths. The voter is locked, so that their votes are counted one after another. */
export async function pointsOfVote(
  tx: Transaction,
  { by, voted: { authorId, id }, nowMs }: Giving,
): Promise<number> {
  const { vote, voter_age_ms: age, pair_factor: factor, pair_ms: pairMs } = POINT_RULES;
  if (by.userId === authorId || nowMs < by.createdAtMs + age) return 0;
  const pair = { userId: by.userId, authorId, id };
  // After ten votes the next one gives less than a thousandth of a point.
  const earlier = await countGiving(tx, pair, nowMs - pairMs);
  if (earlier === undefined) return 0;
  return Math.floor(vote * 1_000 * factor ** earlier);
}
