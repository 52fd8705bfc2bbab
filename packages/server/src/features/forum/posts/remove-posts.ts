import type { Context } from '../../../context.ts';
import type { Transaction } from '../../../ports/database/database.ts';
import { releasing, type Release } from '../../platform/contents/contents.ts';
import { forgetNotificationsAbout } from '../../talk/notifications/notifications.ts';
import { dropUpload } from '../../files/uploads/uploads.ts';
import { deletePostFiles } from './post-file-store.ts';
import { deletePostRows } from './store.ts';
import type { StoredPost } from './stored-post.ts';
import { deletePoll } from '../polls/polls.ts';
import { dropPreviews } from '../../files/link-previews/link-previews.ts';
import { addUnlinking, selectMessagesOfPost } from '../../talk/messages/messages.ts';
import { addCommentRemoval } from './comment-removal.ts';

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
  const { id, channelId } = post;
  const files = post.files.map((file) => file.id);
  await deletePostFiles(tx.sql, files);
  for (const file of files) await dropUpload(tx, file, release);
  await deletePoll(tx.sql, id);
  await dropPreviews(tx, 'post', [id]);
  // A job, because they are in other channels.
  const [linking] = await selectMessagesOfPost(tx.sql, id, 1);
  if (linking !== undefined) await addUnlinking(tx, { postId: id, nowMs });
  // A job for comments, votes, saves and visits, because there may be thousands of them.
  await addCommentRemoval(tx, { channelId, postId: id, nowMs });
  await forgetNotificationsAbout(tx.sql, channelId, [id]);
  await deletePostRows(tx.sql, post);
  tx.changed('posts', id);
}
