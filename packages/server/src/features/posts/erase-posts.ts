import type { Id } from '@hearth/protocol';
import type { EraseContent } from '../erasure/eraser.ts';
import type { InstanceContext } from '../../instance-context.ts';
import { channelNow, emitAt } from '../messages/turn.ts';
import { clearPost, removingPosts } from './remove-posts.ts';
import { lockPost, selectPostsOf } from './store.ts';
import type { StoredPost } from './stored-post.ts';

/** How many posts are looked up at a time. */
const AT_ONCE = 100;

/** Deletes the posts of a deleted account, unless the person lets them stay: then they are those of a deleted account. */
export const erasePosts: EraseContent = async (ctx, { userId, content, signal }) => {
  if (content === 'keep') return;
  await deletePostsOf(ctx, userId, signal);
};

/** Deletes all posts of a person. It may be interrupted and repeated. */
export async function deletePostsOf(
  ctx: InstanceContext,
  userId: Id,
  signal: AbortSignal,
): Promise<void> {
  for (;;) {
    const posts = await selectPostsOf(ctx.database.reader, userId, { limit: AT_ONCE });
    for (const post of posts) {
      signal.throwIfAborted();
      await removeOne(ctx, post);
    }
    if (posts.length < AT_ONCE) return;
  }
}

async function removeOne(
  ctx: InstanceContext,
  { id, channelId }: Pick<StoredPost, 'id' | 'channelId'>,
): Promise<void> {
  await removingPosts(ctx, (remove) =>
    ctx.database.transaction(async (tx) => {
      // The posts of a channel that was deleted are no longer shown to anybody.
      const place = await channelNow(tx, channelId);
      const post = await lockPost(tx.sql, id);
      if (post === undefined) return;
      await remove(tx, [post]);
      if (place === undefined) return;
      await emitAt(tx, place, { op: 'POST_DELETE', d: { channel_id: channelId, id } });
    }),
  );
  await clearPost(ctx, id);
}
