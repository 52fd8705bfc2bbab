import type { Id, VoteInput, PostSettings, Totals } from '@hearth/protocol';
import type { Reader, Transaction } from '../../../ports/database/database.ts';
import { ageOf } from '../../../lib/stored-moment.ts';

/** Something that people vote for. */
export interface VotedPlace {
  readonly kind: 'post' | 'comment';
  readonly id: Id;
}

/** The numbers of votes for something. */
export interface Votes {
  readonly upvotes: number;
  readonly downvotes: number;
}

/** Something that people vote for, as it is stored. */
export interface Voted extends VotedPlace, Votes {
  readonly postId: Id;
  readonly channelId: Id;
  readonly communityId: Id;
  readonly authorId: Id;
  readonly createdAtMs: number;
  /** When the newest comment was written that makes a post active; 0 if there is none. */
  readonly activeAtMs: number;
  /** True if the post, or that of the comment, is locked. */
  readonly isLocked: boolean;
  /** True if it is a comment of which nothing is left but its place. */
  readonly isDeleted: boolean;
}

/** Something that is locked, and its totals. */
export interface CountedVotes {
  readonly voted: Voted;
  readonly votes: Votes;
}

/** The reads and writes of votes on posts, or on comments. */
export interface VotedStore {
  select(db: Reader, id: Id): Promise<Voted | undefined>;
  /** Reads the ids of a channel after one of them. */
  selectIn(
    db: Reader,
    channelId: Id,
    range: { readonly after: Id | undefined; readonly limit: number },
  ): Promise<readonly Id[]>;
  selectTotals(db: Reader, ids: readonly Id[]): Promise<ReadonlyMap<Id, Votes>>;
  /** Locks several, so that nobody else changes them. Those that do not exist are left out. */
  lock(tx: Transaction, ids: readonly Id[]): Promise<readonly Voted[]>;
  /** Stores the totals of what is locked, and the ranks that follow from them. */
  update(tx: Transaction, counted: readonly CountedVotes[]): Promise<void>;
}

/** Totals after a vote was changed; 0 is none. */
export function withVote(
  { upvotes, downvotes }: Votes,
  { from, to }: Readonly<Record<'from' | 'to', VoteInput['value']>>,
): Votes {
  return {
    upvotes: upvotes + Number(to === 1) - Number(from === 1),
    downvotes: downvotes + Number(to === -1) - Number(from === -1),
  };
}

/** Until when the score of something is hidden; 0 if it is not. */
export function hiddenUntil(
  createdAtMs: number,
  { hide_scores_seconds: seconds = 0 }: Pick<PostSettings, 'hide_scores_seconds'>,
  nowMs: number,
): number {
  const lastsMs = seconds * 1_000;
  return ageOf(createdAtMs, nowMs) < lastsMs ? createdAtMs + lastsMs : 0;
}

/** The totals of something in a channel as everyone sees them. */
export function describeTotals(
  { upvotes, downvotes }: Votes,
  createdAtMs: number,
  { settings, nowMs }: { readonly settings: PostSettings; readonly nowMs: number },
): Totals {
  const untilMs = hiddenUntil(createdAtMs, settings, nowMs);
  if (untilMs > 0) return { scores_hidden_until: untilMs };
  return { score: upvotes - downvotes, upvotes, downvotes };
}
