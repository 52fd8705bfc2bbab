import type { Id, VoteInput } from '@hearth/protocol';
import type { Transaction } from '../../../ports/database/database.ts';
import { ageOf, latestMoment } from '../../../lib/stored-moment.ts';
import { POINT_RULES } from '../points/points.ts';
import {
  deleteVotes,
  selectBefore,
  upsertVotes,
  type CastVote,
  type VoteFor,
  type VoteAsked,
  type VoteBefore,
} from './store.ts';
import { withVote, type Votes } from './voted.ts';

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

/**
 * Returns the points that a vote gives the author, in thousandths. The voter is locked, so that their votes are counted
 * one after another.
 */
export function pointsOf({ giving: earlier }: VoteBefore): number {
  if (earlier === undefined) return 0;
  const { vote, pair_factor: factor } = POINT_RULES;
  // After ten votes the next one gives less than a thousandth of a point.
  return Math.floor(vote * 1_000 * factor ** earlier);
}

/** The totals right after a vote was cast. */
export interface Stored {
  readonly votes: Votes;
  /** The points that the author has more than before, in thousandths. */
  readonly points: number;
  /** True if the vote is another one than before. */
  readonly isChanged: boolean;
}

/** A change of a vote. */
interface Change {
  readonly from: CastVote | undefined;
  readonly value: VoteInput['value'];
  /** The points that it gives now, in thousandths. */
  readonly points: number;
}

/** Stores votes, as if they were cast one after another. Returns the totals and the points, which are to be stored as well. */
export async function storeVotes<Each extends VoteOf>(
  tx: Transaction,
  votings: readonly Each[],
  nowMs: number,
): Promise<readonly (Each & Stored)[]> {
  const changes = new Map<VoteOf, Change>();
  for (const round of roundsOf(votings)) {
    for (const [vote, change] of await storeRound(tx, round, nowMs)) changes.set(vote, change);
  }
  const totals = new Map<Id, Votes>();
  return votings.map((each) => {
    const { id, upvotes, downvotes } = each.voted;
    const change = changes.get(each);
    const before = totals.get(id) ?? { upvotes, downvotes };
    const votes =
      change === undefined
        ? before
        : withVote(before, { from: change.from?.value ?? 0, to: change.value });
    totals.set(id, votes);
    const points = change === undefined ? 0 : change.points - (change.from?.points ?? 0);
    return { ...each, votes, points, isChanged: change !== undefined };
  });
}

/** Votes in rounds in which nobody votes twice, because what a vote gives depends on the earlier ones of the same person. */
function roundsOf<Each extends VoteOf>(votings: readonly Each[]): readonly (readonly Each[])[] {
  const counts = new Map<Id, number>();
  const rounds: Each[][] = [];
  for (const voting of votings) {
    const at = counts.get(voting.userId) ?? 0;
    counts.set(voting.userId, at + 1);
    (rounds[at] ??= []).push(voting);
  }
  return rounds;
}

/** Stores votes of different people. Returns those that are others than before. */
async function storeRound(
  tx: Transaction,
  votings: readonly VoteOf[],
  nowMs: number,
): Promise<ReadonlyMap<VoteOf, Change>> {
  const asked = votings.map((voting) => ({ ...voting, counted: countedFor(voting, nowMs) }));
  const before = await selectBefore(tx, asked);
  const changes = new Map<VoteOf, Change>();
  const [cast, takenBack]: [(VoteFor & CastVote)[], VoteFor[]] = [[], []];
  for (const [at, voting] of votings.entries()) {
    const known = before[at];
    const { value } = voting;
    if (known === undefined || (known.vote?.value ?? 0) === value) continue;
    const points = pointsOf(known);
    changes.set(voting, { from: known.vote, value, points });
    if (value === 0) takenBack.push(voting);
    else cast.push({ ...voting, value, points });
  }
  await deleteVotes(tx, takenBack);
  await upsertVotes(tx, cast, nowMs);
  return changes;
}
