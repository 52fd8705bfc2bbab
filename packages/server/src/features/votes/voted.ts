import type { Id, VoteInput } from '@hearth/protocol';

/** Something that people vote for. */
export interface VotedPlace {
  readonly kind: 'post' | 'comment';
  readonly id: Id;
}

/** How many votes something has. */
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
  /** Whether the post, or that of the comment, is locked. */
  readonly isLocked: boolean;
  /** Whether it is a comment of which nothing is left but its place. */
  readonly isDeleted: boolean;
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
