import type { Transaction } from '../../../ports/database/database.ts';
import { lockPost } from './store.ts';
import type { StoredPost } from './stored-post.ts';

/** A post is not as it was read. The transaction is rolled back, so that it takes no number in the order of the channel. */
class NotAsRead extends Error {
  readonly now: StoredPost | undefined;

  constructor(now: StoredPost | undefined) {
    super('the post has changed');
    this.now = now;
  }
}

/**
 * Runs `work` with a post as it was read, so that it can read what the post names before its transaction. If {@link lockAsRead}
 * finds another one then, `work` runs again with that, or with undefined after the post was deleted.
 */
export async function asRead<Result>(
  read: StoredPost | undefined,
  work: (known: StoredPost | undefined) => Promise<Result>,
): Promise<Result> {
  for (let known = read; ;) {
    try {
      return await work(known);
    } catch (error) {
      if (!(error instanceof NotAsRead)) throw error;
      known = error.now;
    }
  }
}

/** Locks a post, which is as it was read except for its totals, until the transaction ends. */
export async function lockAsRead(
  { sql }: Transaction,
  { id, version }: Pick<StoredPost, 'id' | 'version'>,
): Promise<StoredPost> {
  const post = await lockPost(sql, id);
  if (post === undefined || post.version !== version) throw new NotAsRead(post);
  return post;
}
