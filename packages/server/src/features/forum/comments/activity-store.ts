import type { Reader } from '../../../ports/database/database.ts';
import { readRows } from '../../../ports/database/read-rows.ts';
import { ACTIVE_FOR_MS, type CommentedPost } from '../posts/posts.ts';

/** The index `comments_activity` has all that this reads, in its order, so a post may have any number of comments. */
const NEWEST = `select created_at_ms from comments where post_id = $1 and created_at_ms <= $2
  and user_id <> $3 and user_id <> '' order by created_at_ms desc limit 1`;

/** When the newest comment was written that makes a post active, as `countsAsActivity` says; 0 if there is none. */
export async function selectActivity(
  db: Reader,
  { id, userId, createdAtMs }: Pick<CommentedPost, 'id' | 'userId' | 'createdAtMs'>,
): Promise<number> {
  const values = [id, createdAtMs + ACTIVE_FOR_MS, userId];
  const [newest] = await readRows<{ readonly created_at_ms: number | string }>(db, {
    text: NEWEST,
    values,
  });
  return Number(newest?.created_at_ms ?? 0);
}
