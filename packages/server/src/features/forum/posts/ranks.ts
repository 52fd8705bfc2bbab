import { ID_EPOCH_SECONDS } from '@hearth/protocol';

/** When ranks begin to count seconds: with the identifiers, on 15 April 2022 at 05:20 UTC. */
export const RANK_EPOCH_MS = ID_EPOCH_SECONDS * 1_000;

/** The time after it was written in which comments make a post active. */
export const ACTIVE_FOR_MS = 48 * 60 * 60 * 1_000;

/** As many seconds are worth as much as ten times the score. */
const SECONDS_PER_POWER_OF_TEN = 45_000;

/** The author and the time of something. */
export interface Written {
  readonly userId: string;
  readonly createdAtMs: number;
}

/** The facts of which the ranks of a post are made. */
export interface Ranked {
  readonly upvotes: number;
  readonly downvotes: number;
  readonly createdAtMs: number;
  /** When the newest comment was written that `countsAsActivity`; 0 if there is none. */
  readonly activeAtMs: number;
}

/** The position of a post in the lists. A list has the greatest first, and of equal ones the newest id. */
export interface Ranks {
  readonly score: number;
  readonly hot: number;
  readonly active: number;
  readonly controversial: number;
}

/** The ranks of a post. Votes and comments change them; time does not. */
export function ranksOf({ upvotes, downvotes, createdAtMs, activeAtMs }: Ranked): Ranks {
  const score = upvotes - downvotes;
  return {
    score,
    hot: hotOf(score, createdAtMs),
    active: hotOf(score, Math.max(createdAtMs, activeAtMs)),
    controversial: controversyOf(upvotes, downvotes),
  };
}

/** Returns how much the votes for something contradict each other; 0 if all agree. */
export function controversyOf(upvotes: number, downvotes: number): number {
  if (upvotes <= 0 || downvotes <= 0) return 0;
  return (upvotes + downvotes) ** (Math.min(upvotes, downvotes) / Math.max(upvotes, downvotes));
}

/** Returns whether a comment makes a post active: somebody else wrote it, soon after the post. */
export function countsAsActivity(post: Written, comment: Written): boolean {
  return comment.userId !== post.userId && comment.createdAtMs - post.createdAtMs <= ACTIVE_FOR_MS;
}

function hotOf(score: number, atMs: number): number {
  const seconds = (atMs - RANK_EPOCH_MS) / 1_000;
  const order = Math.sign(score) * Math.log10(Math.max(1, Math.abs(score)));
  return order + seconds / SECONDS_PER_POWER_OF_TEN;
}
