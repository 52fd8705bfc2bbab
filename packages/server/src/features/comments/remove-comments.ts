import type { Id } from '@hearth/protocol';
import { idSchema } from '@hearth/protocol/schemas';
import { z } from 'zod';
import type { Context } from '../../context.ts';
import type { Transaction } from '../../ports/database/database.ts';
import { addJob } from '../jobs/add-job.ts';
import type { JobKind } from '../jobs/job-kind.ts';
import { forgetNotificationsAbout } from '../notifications/forget-notifications.ts';
import { removeVotes } from '../votes/remove-votes.ts';
import { deleteComments, selectSome } from './store.ts';

/** How many comments go in one transaction. */
const AT_ONCE = 500;

const removalSchema = z.object({ channel_id: idSchema, post_id: idSchema });

type Removal = z.infer<typeof removalSchema>;

const REMOVE_COMMENTS: Pick<JobKind<Removal>, 'name' | 'parse'> = {
  name: 'remove-comments',
  parse: (json) => removalSchema.parse(json),
};

/** The kind of jobs that remove the comments on posts that were deleted. */
export function removeComments(ctx: Context): JobKind<Removal> {
  return {
    ...REMOVE_COMMENTS,
    atOnce: 1,
    mostAttempts: 10,
    run: ({ channel_id: channelId, post_id: postId }, { signal }) =>
      removeCommentsOn(ctx, { channelId, postId, signal }),
  };
}

/** Removes the comments on a post that was deleted, some at a time. It may be interrupted and repeated. */
export async function removeCommentsOn(
  { database }: Pick<Context, 'database'>,
  { channelId, postId, signal }: { channelId: Id; postId: Id; signal: AbortSignal },
): Promise<void> {
  for (let count = AT_ONCE; count === AT_ONCE;) {
    signal.throwIfAborted();
    count = await database.transaction(async (tx) => {
      const { sql } = tx;
      const ids = (await selectSome(sql, postId, AT_ONCE)).map(({ id }) => id);
      if (ids.length > 0) await forgetNotificationsAbout(sql, channelId, ids);
      await removeVotes(tx, ids);
      await deleteComments(sql, ids);
      return ids.length;
    });
  }
}

/** Adds the job for a post that the transaction deletes. */
export async function addCommentRemoval(
  tx: Transaction,
  { channelId, postId, nowMs }: { channelId: Id; postId: Id; nowMs: number },
): Promise<void> {
  const payload = { channel_id: channelId, post_id: postId };
  await addJob(tx, REMOVE_COMMENTS, { payload, nowMs });
}
