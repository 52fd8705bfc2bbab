import type { Transaction } from '../../../ports/database/database.ts';
import { removePoll } from '../polls/polls.ts';
import { dropPreviews } from '../../files/link-previews/link-previews.ts';
import { addUnlinking, selectMessagesOfPost } from '../../talk/messages/messages.ts';
import { addCommentRemoval } from './comment-removal.ts';
import type { StoredPost } from './stored-post.ts';

/** Removes what a feature has of a post, in the transaction that removes the post, which is locked. */
export type PostRemover = (tx: Transaction, post: StoredPost, nowMs: number) => Promise<void>;

/** What else is removed with a post. */
export const POST_REMOVERS: readonly PostRemover[] = [
  removePoll,
  (tx, { id }) => dropPreviews(tx, 'post', [id]),
  // A job, because they are in other channels.
  async (tx, { id }, nowMs) => {
    const [first] = await selectMessagesOfPost(tx.sql, id, 1);
    if (first !== undefined) await addUnlinking(tx, { postId: id, nowMs });
  },
  // A job for comments, votes, saves and visits, because there may be thousands of them.
  (tx, { id, channelId }, nowMs) => addCommentRemoval(tx, { channelId, postId: id, nowMs }),
];
