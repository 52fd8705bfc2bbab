import type { Id } from '@hearth/protocol';
import { idSchema } from '@hearth/protocol/schemas';
import { z } from 'zod';
import type { Context } from '../../../context.ts';
import type { Transaction } from '../../../ports/database/database.ts';
import { releasing, type Release } from '../../platform/contents/contents.ts';
import { forgetNotificationsAbout } from '../../talk/notifications/notifications.ts';
import { dropUpload } from '../../files/uploads/uploads.ts';
import { deletePoll } from '../polls/polls.ts';
import { dropPreviews } from '../../files/link-previews/link-previews.ts';
import { addUnlinking, selectMessagesOfPost } from '../../talk/messages/messages.ts';
import { addJob, type JobKind } from '../../platform/jobs/jobs.ts';
import type { PurgeContent } from '../../communities/purge/purge.ts';
import { deletePostFiles, deletePostRows, lockPostsWithFiles } from './store.ts';
import type { StoredPost } from './stored-post.ts';
import { deleteReaders } from './visit-store.ts';

const removalSchema = z.object({ channel_id: idSchema, post_id: idSchema });

export type CommentRemoval = z.infer<typeof removalSchema>;

/** Jobs that remove comments, votes, saves and visits of posts that were deleted. */
export const REMOVE_COMMENTS: Pick<JobKind<CommentRemoval>, 'name' | 'parse'> = {
  name: 'remove-comments',
  parse: (json) => removalSchema.parse(json),
};

/** Adds the job for a post that the transaction deletes. */
export async function addCommentRemoval(
  tx: Transaction,
  { channelId, postId, nowMs }: { channelId: Id; postId: Id; nowMs: number },
): Promise<void> {
  const payload = { channel_id: channelId, post_id: postId };
  await addJob(tx, REMOVE_COMMENTS, { payload, nowMs });
}

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

/** The number of saves, and of visits, that go in one transaction. */
const AT_ONCE = 1_000;

/** Forgets who has saved and visited a post that was deleted. It can be interrupted and repeated. */
export async function clearReaders(
  { database }: Pick<Context, 'database'>,
  { postId, signal }: { readonly postId: Id; readonly signal: AbortSignal },
): Promise<void> {
  for (const table of ['post_saves', 'post_visits'] as const) {
    for (let count = AT_ONCE; count === AT_ONCE;) {
      signal.throwIfAborted();
      count = await database.transaction(({ sql }) =>
        deleteReaders(sql, { table, postId, limit: AT_ONCE }),
      );
    }
  }
}

/** The number of posts that are removed in one transaction. */
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
