import type { Id } from '@hearth/protocol';
import type { Database } from '../../../ports/database/database.ts';
import { selectPosts, type StoredPost } from '../posts/posts.ts';

/** Ids of posts in their order, such as an array. */
export interface PostIds {
  readonly length: number;
  slice(from: number, to: number): readonly Id[];
}

/** A part of a list. */
export interface PostsRead {
  readonly posts: readonly StoredPost[];
  /** The number of the ids that it took, with those of posts that are left out. */
  readonly taken: number;
}

/**
 * The first so many of the posts that there still are and that are shown, in the order of the ids. If some are left out,
 * twice as many are read the next time, so a page takes few readings.
 */
export async function readPosts(
  { reader }: Pick<Database, 'reader'>,
  ids: PostIds,
  { limit, isShown }: { readonly limit: number; readonly isShown: (post: StoredPost) => boolean },
): Promise<PostsRead> {
  const posts: StoredPost[] = [];
  let taken = 0;
  for (let atOnce = limit; taken < ids.length && posts.length < limit; atOnce *= 2) {
    const some = ids.slice(taken, taken + atOnce);
    const found = new Map((await selectPosts(reader, some)).map((post) => [post.id, post]));
    for (const id of some) {
      taken += 1;
      const post = found.get(id);
      if (post !== undefined && isShown(post)) posts.push(post);
      if (posts.length === limit) break;
    }
  }
  return { posts, taken };
}
