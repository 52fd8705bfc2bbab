import type { Id } from '@hearth/protocol';
import type { Context } from '../../../context.ts';
import type { JobKind } from '../../platform/jobs/jobs.ts';
import { forgetNotificationsAbout } from '../../talk/notifications/notifications.ts';
import { clearPoll } from '../polls/polls.ts';
import { REMOVE_COMMENTS, clearReaders, type CommentRemoval } from '../posts/posts.ts';
import { clearVotes, deleteVotesFor } from '../votes/votes.ts';
import { deleteComments, selectSome } from './store.ts';

/** The number of comments that go in one transaction. */
const AT_ONCE = 500;

/** The kind of jobs that remove comments, votes, saves and visits of posts that were deleted: there may be thousands of each. */
export function removeComments(ctx: Context): JobKind<CommentRemoval> {
  return {
    ...REMOVE_COMMENTS,
    mostAttempts: 10,
    run: ({ channel_id: channelId, post_id: postId }, { signal }) =>
      removeRest(ctx, { channelId, postId, signal }),
  };
}

/** Removes what is left of a post that was deleted, some at a time. It may be interrupted and repeated. */
export async function removeRest(
  ctx: Pick<Context, 'database'>,
  { channelId, postId, signal }: { channelId: Id; postId: Id; signal: AbortSignal },
): Promise<void> {
  await clearVotes(ctx, { subjectIds: [postId], signal });
  await clearPoll(ctx, { postId, signal });
  await clearReaders(ctx, { postId, signal });
  let after = '';
  for (let count = AT_ONCE; count === AT_ONCE;) {
    signal.throwIfAborted();
    const some = await selectSome(ctx.database.reader, postId, { after, limit: AT_ONCE });
    const ids = some.map(({ id }) => id);
    await clearVotes(ctx, { subjectIds: ids, signal });
    await ctx.database.transaction(async (tx) => {
      if (ids.length > 0) await forgetNotificationsAbout(tx.sql, channelId, ids);
      // Those that somebody cast until now.
      await deleteVotesFor(tx.sql, ids);
      await deleteComments(tx.sql, ids);
    });
    count = ids.length;
    after = some.at(-1)?.path ?? after;
  }
}
