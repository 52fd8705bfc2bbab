import type { Id } from '@hearth/protocol';
import type { Writer } from '../../../ports/database/database.ts';
import { sortable } from '../../../ports/database/sortable-id.ts';

/**
 * Notes that messages, posts or comments of a channel were changed or deleted, in the transaction that does so. The index
 * follows.
 */
export async function noteChanged(db: Writer, channelId: Id, ids: readonly Id[]): Promise<void> {
  if (ids.length === 0) return;
  await db
    .insertInto('channel_index_changes')
    .values(ids.map((id) => ({ channel_id: channelId, message_id: sortable(id) })))
    .onConflict((conflict) =>
      conflict
        .columns(['channel_id', 'message_id'])
        // The row stays locked, so that the indexer waits for this change before it forgets the note.
        .doUpdateSet({ channel_id: channelId }),
    )
    .execute();
}
