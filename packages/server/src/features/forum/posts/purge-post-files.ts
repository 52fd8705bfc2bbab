import type { Id } from '@hearth/protocol';
import type { PurgeContent } from '../../communities/purge/purge.ts';
import { lockPostsWithFiles } from './post-file-store.ts';
import { removingPosts } from './remove-posts.ts';

/** How many posts are removed in one transaction. */
const POSTS_AT_ONCE = 100;

/** Removes the posts with files of a channel that was deleted. It can be interrupted and repeated. */
export const purgePostFiles: PurgeContent = async (ctx, { channelId, signal }) => {
  // Posts without files stay for now, and are read once.
  let after: Id | undefined;
  do {
    signal.throwIfAborted();
    const range = { after, limit: POSTS_AT_ONCE };
    after = await removingPosts(ctx, (remove) =>
      ctx.database.transaction(async (tx) => {
        const posts = await lockPostsWithFiles(tx.sql, channelId, range);
        await remove(tx, posts);
        return posts.at(-1)?.id;
      }),
    );
  } while (after !== undefined);
};
