import type { Transaction } from '../../../ports/database/database.ts';
import { votedComments } from '../comments/comments.ts';
import { votedPosts } from '../posts/posts.ts';
import type { CountedVotes, Voted, VotedStore } from '../votes/votes.ts';

/** Which kinds of things there are, in the order in which they are locked. */
export const VOTED_KINDS: readonly Voted['kind'][] = ['post', 'comment'];

/** Stores of the totals of posts and comments. */
export const VOTED_STORES: Readonly<Record<Voted['kind'], VotedStore>> = {
  post: votedPosts,
  comment: votedComments,
};

/** Stores the totals of posts and comments that are locked, and the ranks that follow from them. */
export async function updateTotals(
  tx: Transaction,
  counted: readonly CountedVotes[],
): Promise<void> {
  for (const kind of VOTED_KINDS) {
    const some = counted.filter(({ voted }) => voted.kind === kind);
    await VOTED_STORES[kind].update(tx, some);
  }
}
