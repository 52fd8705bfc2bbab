import type { Id } from '@hearth/protocol';
import type { Reader, Writer } from '../../../ports/database/database.ts';
import { messageOf, type StoredMessage } from './stored-message.ts';

/** Notes which post was made from a message; empty if there is none any more. */
export async function updatePostId(
  db: Writer,
  { channelId, id, postId, version }: StoredMessage,
): Promise<void> {
  await db
    .updateTable('channel_messages')
    .set({ post_id: postId, version })
    .where('channel_id', '=', channelId)
    .where('id', '=', id)
    .execute();
}

/** Messages that a post was made from, or that show it, at most so many. */
export async function selectMessagesOfPost(
  db: Reader,
  postId: Id,
  limit: number,
): Promise<readonly StoredMessage[]> {
  const rows = await db
    .selectFrom('channel_messages')
    .selectAll()
    .where('post_id', '=', postId)
    // So that the index, which has only these, is used.
    .where('post_id', '!=', '')
    .limit(limit)
    .execute();
  return rows.map(messageOf);
}
