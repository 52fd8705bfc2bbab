import type { Context } from '../../../context.ts';
import type { Transaction } from '../../../ports/database/database.ts';
import { releasing, type Release } from '../../platform/contents/contents.ts';
import { forgetNotificationsAbout } from '../../talk/notifications/notifications.ts';
import { dropUpload } from '../../files/uploads/uploads.ts';
import { deletePostFiles } from './post-file-store.ts';
import { POST_REMOVERS } from './post-removers.ts';
import { deletePostRows } from './store.ts';
import type { StoredPost } from './stored-post.ts';

/** Removes posts, which are locked, and everything that belongs to them; a job removes what may be much. */
export type RemovePosts = (tx: Transaction, posts: readonly StoredPost[]) => Promise<void>;

/** Runs `work`, which removes posts with the function that it receives. The contents of their files are removed afterwards. */
export function removingPosts<Result>(
  ctx: Context,
  work: (remove: RemovePosts) => Promise<Result>,
): Promise<Result> {
  return releasing(ctx, (release) =>
    work(async (tx, posts) => {
      for (const post of posts) await removePost(tx, post, { release, nowMs: ctx.clock.unixMs() });
    }),
  );
}

async function removePost(
  tx: Transaction,
  post: StoredPost,
  { release, nowMs }: { readonly release: Release; readonly nowMs: number },
): Promise<void> {
  const files = post.files.map(({ id }) => id);
  await deletePostFiles(tx.sql, files);
  for (const id of files) await dropUpload(tx, id, release);
  for (const remove of POST_REMOVERS) await remove(tx, post, nowMs);
  await forgetNotificationsAbout(tx.sql, post.channelId, [post.id]);
  await deletePostRows(tx.sql, post);
  tx.changed('posts', post.id);
}
