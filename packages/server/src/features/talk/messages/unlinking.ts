import type { Id } from '@hearth/protocol';
import { idSchema } from '@hearth/protocol/schemas';
import { z } from 'zod';
import type { Transaction } from '../../../ports/database/database.ts';
import { addJob, type JobKind } from '../../platform/jobs/jobs.ts';

const unlinkingSchema = z.object({ post_id: idSchema });

/** Which post lost the message that it was made from, or is no longer there for messages to name. */
export type Unlinking = z.infer<typeof unlinkingSchema>;

/** Jobs that take links to messages and posts that were deleted from those that have them. */
export const UNLINK_POST: Pick<JobKind<Unlinking>, 'name' | 'parse'> = {
  name: 'unlink-post',
  parse: (json) => unlinkingSchema.parse(json),
};

/** Adds the job, in the transaction that deletes the message or the post. */
export async function addUnlinking(
  tx: Transaction,
  { postId, nowMs }: { readonly postId: Id; readonly nowMs: number },
): Promise<void> {
  await addJob(tx, UNLINK_POST, { payload: { post_id: postId }, nowMs });
}
