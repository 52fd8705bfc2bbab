import type { Id } from '@hearth/protocol';
import type { Context } from '../../context.ts';
import type { Transaction } from '../../ports/database/database.ts';
import { clearPoll, removePoll } from '../polls/remove-poll.ts';
import { dropPreviews } from '../link-previews/request-preview.ts';
import { addCommentRemoval } from '../comments/remove-comments.ts';
import { addUnlinking } from '../messages/unlinking.ts';
import { selectMessagesOfPost } from '../messages/written-messages.ts';
import { removeVotes } from '../votes/remove-votes.ts';
import type { StoredPost } from './stored-post.ts';

/** Removes what a feature has of a post. */
export interface PostRemover {
  /** Removes what may be much in transactions of its own, once nobody can add to it. It may be interrupted and repeated. */
  readonly clear?: (ctx: Context, postId: Id) => Promise<void>;
  /** Removes what is left, in the transaction that removes the post, which is locked. */
  readonly remove: (tx: Transaction, post: StoredPost) => Promise<void>;
}

/** What else is removed with a post. */
export const POST_REMOVERS: readonly PostRemover[] = [
  { remove: (tx, { id }) => removeVotes(tx, [id]) },
  { clear: clearPoll, remove: removePoll },
  { remove: (tx, { id }) => dropPreviews(tx, 'post', [id]) },
  {
    // A job, because they are in other channels.
    remove: async (tx, { id, createdAtMs }) => {
      const [first] = await selectMessagesOfPost(tx.sql, id, 1);
      if (first !== undefined) await addUnlinking(tx, { postId: id, nowMs: createdAtMs });
    },
  },
  {
    // A job, because there may be thousands of them.
    remove: (tx, { id, channelId, createdAtMs }) =>
      addCommentRemoval(tx, { channelId, postId: id, nowMs: createdAtMs }),
  },
];
