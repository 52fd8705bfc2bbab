import { votedComments } from '../comments/comments.ts';
import { votedPosts } from '../posts/posts.ts';
import type { Voted, VotedStore } from '../votes/votes.ts';

/** Which kinds of things there are, in the order in which they are locked. */
export const VOTED_KINDS: readonly Voted['kind'][] = ['post', 'comment'];

/** Stores of the totals of posts and comments. */
export const VOTED_STORES: Readonly<Record<Voted['kind'], VotedStore>> = {
  post: votedPosts,
  comment: votedComments,
};
