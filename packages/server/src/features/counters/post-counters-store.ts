import type { Writer } from '../../ports/database/database.ts';
import { idIn } from '../../ports/database/sortable-id.ts';
import { storedId } from '../../ports/database/stored-id.ts';
import { selectActivity } from '../comments/activity-store.ts';
import { controversyOf, ranksOf } from '../posts/ranks.ts';

/** What was looked at: the last one in the order, and how many were wrong. */
export interface Counted<Place> {
  readonly last: Place | undefined;
  readonly wrong: number;
}

/** Counts the votes and comments of the next posts again, finds out when they were active, and corrects those that were wrong. */
export async function recountPosts(
  db: Writer,
  { after, limit }: { readonly after: string; readonly limit: number },
): Promise<Counted<string>> {
  const posts = await db
    .selectFrom('posts')
    .select(['id', 'upvotes', 'downvotes', 'score', 'hot', 'active', 'controversial'])
    .select(['user_id', 'comment_count', 'created_at_ms', 'last_comment_at_ms'])
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .forUpdate()
    .execute();
  const ids = posts.map(({ id }) => id);
  if (ids.length === 0) return { last: undefined, wrong: 0 };
  const votes = await votesFor(db, ids);
  const comments = await db
    .selectFrom('comments')
    .select((own) => ['post_id', own.fn.countAll<number | string>().as('count')])
    .where('post_id', 'in', ids)
    .groupBy('post_id')
    .execute();
  const commentCounts = new Map(comments.map((row) => [row.post_id, Number(row.count)]));
  let wrong = 0;
  for (const { id, user_id, created_at_ms, ...found } of posts) {
    const { upvotes, downvotes } = votes(id);
    const createdAtMs = Number(created_at_ms);
    const post = { id: idIn(id), userId: storedId(user_id), createdAtMs };
    const activeAtMs = await selectActivity(db, post);
    const right = {
      upvotes,
      downvotes,
      ...ranksOf({ upvotes, downvotes, createdAtMs, activeAtMs }),
      comment_count: commentCounts.get(id) ?? 0,
      last_comment_at_ms: activeAtMs,
    };
    if (isRight(found, right)) continue;
    wrong += 1;
    await db.updateTable('posts').set(right).where('id', '=', id).execute();
  }
  return { last: ids.at(-1), wrong };
}

/**
 * The same for votes and replies of the next comments. It locks their posts, too.
 */
export async function recountComments(
  db: Writer,
  { after, limit }: { readonly after: string; readonly limit: number },
): Promise<Counted<string>> {
  const next = await db
    .selectFrom('comments')
    .select(['id', 'post_id'])
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute();
  const last = next.at(-1);
  if (last === undefined) return { last: undefined, wrong: 0 };
  const posts = [...new Set(next.map(({ post_id }) => post_id))];
  await db
    .selectFrom('posts')
    .select('id')
    .where('id', 'in', posts)
    .orderBy('id')
    .forUpdate()
    .execute();
  const comments = await db
    .selectFrom('comments')
    .select(['id', 'upvotes', 'downvotes', 'score', 'controversial', 'reply_count'])
    .where(
      'id',
      'in',
      next.map(({ id }) => id),
    )
    .orderBy('id')
    .forUpdate()
    .execute();
  const ids = comments.map(({ id }) => id);
  if (ids.length === 0) return { last: last.id, wrong: 0 };
  const votes = await votesFor(db, ids);
  const replies = await db
    .selectFrom('comments as replies')
    .innerJoin('comments as parents', (join) =>
      join
        .onRef('parents.post_id', '=', 'replies.post_id')
        .onRef('parents.id', '=', 'replies.parent_id'),
    )
    .select((own) => ['parents.id', own.fn.countAll<number | string>().as('count')])
    .where('parents.id', 'in', ids)
    .groupBy('parents.id')
    .execute();
  const replyCounts = new Map(replies.map((row) => [row.id, Number(row.count)]));
  let wrong = 0;
  for (const { id, ...found } of comments) {
    const { upvotes, downvotes } = votes(id);
    const controversial = controversyOf(upvotes, downvotes);
    const reply_count = replyCounts.get(id) ?? 0;
    const right = { upvotes, downvotes, score: upvotes - downvotes, controversial, reply_count };
    if (isRight(found, right)) continue;
    wrong += 1;
    await db.updateTable('comments').set(right).where('id', '=', id).execute();
  }
  return { last: last.id, wrong };
}

async function votesFor(db: Writer, ids: readonly string[]) {
  const rows = await db
    .selectFrom('votes')
    .select((own) => ['subject_id', 'value', own.fn.countAll<number | string>().as('count')])
    .where('subject_id', 'in', ids)
    .groupBy(['subject_id', 'value'])
    .execute();
  const counts = new Map(rows.map((row) => [`${row.subject_id} ${row.value}`, Number(row.count)]));
  return (id: string) => ({
    upvotes: counts.get(`${id} 1`) ?? 0,
    downvotes: counts.get(`${id} -1`) ?? 0,
  });
}

function isRight<Counters extends Readonly<Record<string, number>>>(
  found: Counters,
  right: Counters,
): boolean {
  return Object.entries(right).every(([column, value]) => Number(found[column]) === value);
}
