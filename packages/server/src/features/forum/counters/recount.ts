import type { Id } from '@hearth/protocol';
import type { Writer } from '../../../ports/database/database.ts';
import {
  correctComment,
  countComments,
  countReplies,
  lockCommentsAfter,
  selectActivity,
} from '../comments/comments.ts';
import { controversyOf, correctPost, lockPostsAfter, ranksOf } from '../posts/posts.ts';
import { countVotes } from '../votes/votes.ts';

/** The last row that was looked at, and the number of wrong ones. */
export interface Recounted {
  readonly last: Id | undefined;
  readonly wrong: number;
}

/** Which rows: so many after one. */
interface Range {
  readonly after: Id;
  readonly limit: number;
}

/** Counts the votes and comments of the next posts again, finds out when they were active, and corrects those that were wrong. */
export async function recountPosts(db: Writer, range: Range): Promise<Recounted> {
  const posts = await lockPostsAfter(db, range);
  const ids = posts.map(({ id }) => id);
  if (ids.length === 0) return { last: undefined, wrong: 0 };
  const votesOf = await countVotes(db, ids);
  const commentCounts = await countComments(db, ids);
  let wrong = 0;
  for (const { id, user_id, created_at_ms, ...found } of posts) {
    const votes = votesOf(id);
    const createdAtMs = created_at_ms;
    const post = { id: id, userId: user_id, createdAtMs };
    const activeAtMs = await selectActivity(db, post);
    const right = {
      ...votes,
      ...ranksOf({ ...votes, createdAtMs, activeAtMs }),
      comment_count: commentCounts.get(id) ?? 0,
      last_comment_at_ms: activeAtMs,
    };
    if (isRight(found, right)) continue;
    wrong += 1;
    await correctPost(db, id, right);
  }
  return { last: ids.at(-1), wrong };
}

/** Counts the votes and replies of the next comments again. Locks their posts, too. */
export async function recountComments(db: Writer, range: Range): Promise<Recounted> {
  const { last, comments } = await lockCommentsAfter(db, range);
  const ids = comments.map(({ id }) => id);
  if (ids.length === 0) return { last, wrong: 0 };
  const votesOf = await countVotes(db, ids);
  const replyCounts = await countReplies(db, ids);
  let wrong = 0;
  for (const { id, ...found } of comments) {
    const { upvotes, downvotes } = votesOf(id);
    const controversial = controversyOf(upvotes, downvotes);
    const reply_count = replyCounts.get(id) ?? 0;
    const right = { upvotes, downvotes, score: upvotes - downvotes, controversial, reply_count };
    if (isRight(found, right)) continue;
    wrong += 1;
    await correctComment(db, id, right);
  }
  return { last, wrong };
}

function isRight<Counters extends Readonly<Record<string, number>>>(
  found: Counters,
  right: Counters,
): boolean {
  return Object.entries(right).every(([column, value]) => Number(found[column]) === value);
}
