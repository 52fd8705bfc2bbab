import type { Context } from '../../../context.ts';
import type { Transaction } from '../../../ports/database/database.ts';
import { requestPreviews } from '../../files/link-previews/link-previews.ts';
import { may, type PlaceAccess } from '../../talk/places/places.ts';
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
