import type { Id } from '@hearth/protocol';

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
