import { requestPreviews, type AnnouncePreviews } from '../../files/link-previews/link-previews.ts';
import { channelNow, emitAt, may, type PlaceAccess } from '../../talk/places/places.ts';
import type { Context } from '../../../context.ts';
import type { Transaction } from '../../../ports/database/database.ts';
import type { PostsContext } from './posts-context.ts';
import { asRead, lockAsRead } from './as-read.ts';
import { namedInEvents, postInEvents } from './post-in-events.ts';
import { selectPosts, updatePost } from './store.ts';
import type { StoredPost } from './stored-post.ts';

/** A post, and what its author may do in the channel. */
export interface ShowingPost {
  readonly post: StoredPost;
  readonly access: Pick<PlaceAccess, 'permissions'>;
}

/** Shows previews of the addresses of those posts that have one and whose authors may. */
export async function showPreviews(
  tx: Transaction,
  ctx: Pick<Context, 'clock' | 'settings'>,
  posts: readonly ShowingPost[],
): Promise<void> {
  const shown = posts.filter(
    ({ post: { url }, access }) => url !== '' && may(access, 'EMBED_LINKS'),
  );
  await requestPreviews(
    ctx,
    tx,
    shown.map(({ post: { id, channelId, url } }) => ({ kind: 'post', id, channelId, url })),
  );
}

/** Sends posts whose previews are ready to everyone who sees their channels. */
export const announcePostPreviews: AnnouncePreviews<PostsContext> = async (ctx, ids) => {
  for (const post of await selectPosts(ctx.database.reader, ids)) {
    await asRead(post, (known) => announce(ctx, known));
  }
};

async function announce(ctx: PostsContext, known: StoredPost | undefined): Promise<void> {
  if (known === undefined) return;
  const named = await namedInEvents(ctx, [known]);
  await ctx.database.transaction(async (tx) => {
    const place = await channelNow(tx, ctx, known.channelId);
    if (place === undefined) return;
    const post = await lockAsRead(tx, known);
    const updated = { ...post, version: post.version + 1 };
    await updatePost(tx.sql, updated);
    await emitAt(tx, place, { op: 'POST_UPDATE', d: postInEvents(updated, named) });
  });
}
