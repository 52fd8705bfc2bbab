import type { Id } from '@hearth/protocol';
import { idSchema } from '@hearth/protocol/schemas';
import { z } from 'zod';
import type { Transaction } from '../../../ports/database/database.ts';
import { addJob, type JobKind } from '../../platform/jobs/jobs.ts';

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
