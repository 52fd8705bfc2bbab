import type { PurgeContent } from '../purge/purge-content.ts';
import { lockPostsWithFiles } from './post-file-store.ts';
import { removingPosts } from './remove-posts.ts';

/** How many posts are removed in one transaction. */
const POSTS_AT_ONCE = 100;

/** Removes the posts with files of a channel that was deleted. It can be interrupted and repeated. */
export const purgePostFiles: PurgeContent = async (ctx, { channelId, signal }) => {
  for (let count = POSTS_AT_ONCE; count === POSTS_AT_ONCE;) {
    signal.throwIfAborted();
    count = await removingPosts(ctx, (remove) =>
      ctx.database.transaction(async (tx) => {
        const posts = await lockPostsWithFiles(tx.sql, channelId, POSTS_AT_ONCE);
        await remove(tx, posts);
        return posts.length;
      }),
    );
  }
};
