import { ageOf, latestMoment } from '../../../lib/stored-moment.ts';
import { POINT_RULES } from '../points/points.ts';
import type { VoteAsked, VoteBefore, VoteFor } from './store.ts';

/** A vote, and when the account of the voter was made. */
export interface VoteOf extends VoteFor {
  readonly value: -1 | 0 | 1;
  readonly voterSinceMs: number;
}

/** In which time earlier votes of the same person for the same author count; undefined if the vote gives nothing anyway. */
export function countedFor(
  { voted, userId, value, voterSinceMs }: VoteOf,
  nowMs: number,
): VoteAsked['counted'] {
  const { voter_age_ms: age, pair_ms: pairMs } = POINT_RULES;
  const isGiving = value === 1 && userId !== voted.authorId && ageOf(voterSinceMs, nowMs) >= age;
  return isGiving ? { sinceMs: nowMs - pairMs, upToMs: latestMoment(nowMs) } : undefined;
}

/** What a vote gives the author, in thousandths. The voter is locked, so that their votes are counted one after another. */
export function pointsOf({ giving: earlier }: VoteBefore): number {
  if (earlier === undefined) return 0;
  const { vote, pair_factor: factor } = POINT_RULES;
  // After ten votes the next one gives less than a thousandth of a point.
  return Math.floor(vote * 1_000 * factor ** earlier);
}
