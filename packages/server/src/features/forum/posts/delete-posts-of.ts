import { firstIdAt, type Id } from '@hearth/protocol';
import type { Context } from '../../../context.ts';
import type { KeepsChannelHomes } from '../../communities/structure/structure.ts';
import { channelNow, emitAt } from '../../talk/places/places.ts';
import type { EraseContent } from '../../accounts/erasure/erasure.ts';
import { removingPosts } from './remove-posts.ts';
import { lockPost, selectPostsOf } from './store.ts';
import type { StoredPost } from './stored-post.ts';

/** The number of posts that are looked up at a time. */
const AT_ONCE = 100;

/** Which posts or comments of a person: those of these moments, in one community or everywhere. */
export interface WrittenBy {
  readonly userId: Id;
  readonly communityId?: Id;
  /** Unix milliseconds; both ends belong to it. */
  readonly sinceMs?: number;
  readonly untilMs?: number;
  readonly signal: AbortSignal;
}

/** The ids that what somebody wrote in these moments may have. */
export function rangeOf({ communityId, sinceMs, untilMs }: Omit<WrittenBy, 'userId' | 'signal'>) {
  return {
    communityId,
    from: sinceMs === undefined ? undefined : firstIdAt(sinceMs),
    upTo: untilMs === undefined ? undefined : firstIdAt(untilMs + 1_000),
  };
}

/** Deletes posts of a person, one after another. It may be interrupted and repeated. */
export async function deletePostsOf(
  ctx: Context & KeepsChannelHomes,
  { userId, signal, ...where }: WrittenBy,
): Promise<void> {
  const range = { ...rangeOf(where), limit: AT_ONCE };
  for (let after: Id | undefined; ;) {
    const posts = await selectPostsOf(ctx.database.reader, userId, { ...range, after });
    for (const post of posts) {
      signal.throwIfAborted();
      await removeOne(ctx, post);
    }
    after = posts.at(-1)?.id;
    if (posts.length < AT_ONCE) return;
  }
}

async function removeOne(
  ctx: Context & KeepsChannelHomes,
  { id, channelId }: Pick<StoredPost, 'id' | 'channelId'>,
): Promise<void> {
  await removingPosts(ctx, (remove) =>
    ctx.database.transaction(async (tx) => {
      // The posts of a channel that was deleted are no longer shown to anybody.
      const place = await channelNow(tx, ctx, channelId);
      const post = await lockPost(tx.sql, id);
      if (post !== undefined) await remove(tx, [post]);
      // A number that was taken needs an event, or readers of the channel wait for it.
      if (place === undefined) return;
      await emitAt(tx, place, { op: 'POST_DELETE', d: { channel_id: channelId, id } });
    }),
  );
}

/** Deletes the posts of a deleted account, unless the person lets them stay: then they are those of a deleted account. */
export const erasePosts: EraseContent<Context & KeepsChannelHomes> = async (
  ctx,
  { userId, content, signal },
) => {
  if (content === 'erase') await deletePostsOf(ctx, { userId, signal });
};
