import type { Id } from '@hearth/protocol';
import type { Writer } from '../../../ports/database/database.ts';
import type { PostsTable } from './tables.ts';

export type PostCounters = Pick<
  PostsTable,
  | 'upvotes'
  | 'downvotes'
  | 'score'
  | 'hot'
  | 'active'
  | 'controversial'
  | 'comment_count'
  | 'last_comment_at_ms'
>;

/** The posts after one of them, which nobody else changes until the transaction ends. */
export async function lockPostsAfter(
  db: Writer,
  { after, limit }: { readonly after: Id; readonly limit: number },
): Promise<readonly (PostCounters & Pick<PostsTable, 'id' | 'user_id' | 'created_at_ms'>)[]> {
  return await db
    .selectFrom('posts')
    .select(['id', 'upvotes', 'downvotes', 'score', 'hot', 'active', 'controversial'])
    .select(['user_id', 'comment_count', 'created_at_ms', 'last_comment_at_ms'])
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .forUpdate()
    .execute();
}

/** Locks posts until the transaction ends. */
export async function lockPosts(db: Writer, ids: readonly Id[]): Promise<void> {
  await db
    .selectFrom('posts')
    .select('id')
    .where('id', 'in', ids)
    .orderBy('id')
    .forUpdate()
    .execute();
}

/** Corrects what is counted of a post that is locked. */
export async function correctPost(db: Writer, id: Id, right: PostCounters): Promise<void> {
  await db.updateTable('posts').set(right).where('id', '=', id).execute();
}
