import type { Id } from '@hearth/protocol';
import type { Reader, Writer } from '../../../ports/database/database.ts';
import type { Swept } from '../../../ports/database/delete-after.ts';

/**
 * Notes that messages, posts or comments of a channel were changed or deleted, in the transaction that does so. The index
 * follows.
 */
export async function noteChanged(db: Writer, channelId: Id, ids: readonly Id[]): Promise<void> {
  if (ids.length === 0) return;
  await db
    .insertInto('channel_index_changes')
    .values(ids.map((id) => ({ channel_id: channelId, message_id: id })))
    .onConflict((conflict) =>
      conflict
        .columns(['channel_id', 'message_id'])
        // The row stays locked, so that the indexer waits for this change before it forgets the note.
        .doUpdateSet({ channel_id: channelId }),
    )
    .execute();
}

/** Messages of channels that the indexes do not have as they are now, at most `limit`. */
export async function selectChanges(
  db: Reader,
  channelIds: readonly Id[],
  limit: number,
): Promise<readonly { readonly channelId: Id; readonly id: Id }[]> {
  if (channelIds.length === 0) return [];
  const rows = await db
    .selectFrom('channel_index_changes')
    .selectAll()
    .where('channel_id', 'in', channelIds)
    .orderBy('message_id', 'desc')
    .limit(limit)
    .execute();
  return rows.map((row) => ({ channelId: row.channel_id, id: row.message_id }));
}

/** Channels that have such messages, at most `limit`. */
export async function selectChangedChannels(db: Reader, limit: number): Promise<readonly Id[]> {
  const rows = await db
    .selectFrom('channel_index_changes')
    .select('channel_id')
    .distinct()
    .limit(limit)
    .execute();
  return rows.map((row) => row.channel_id);
}

/** Forgets that a message was changed. Waits for those who are changing it. */
export async function deleteChange(db: Writer, channelId: Id, id: Id): Promise<void> {
  await db
    .deleteFrom('channel_index_changes')
    .where('channel_id', '=', channelId)
    .where('message_id', '=', id)
    .execute();
}

/** The changes of a channel, in the order in which they are deleted. */
export function sweptChanges(channelId: Id): Swept {
  return {
    table: 'channel_index_changes',
    where: { channel_id: channelId },
    order: ['message_id'],
  };
}
