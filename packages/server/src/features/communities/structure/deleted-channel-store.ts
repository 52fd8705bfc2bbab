import type { Id } from '@hearth/protocol';
import type { Reader, Writer } from '../../../ports/database/database.ts';

/** The channels that were deleted before a moment, the first one first. */
export async function selectDeletedChannels(
  db: Reader,
  { beforeMs, limit }: { readonly beforeMs: number; readonly limit: number },
): Promise<readonly { readonly communityId: Id; readonly channelId: Id }[]> {
  const rows = await db
    .selectFrom('channels')
    .select(['id', 'community_id'])
    .where('deleted_at_ms', '>', 0)
    .where('deleted_at_ms', '<=', beforeMs)
    .orderBy('deleted_at_ms')
    .limit(limit)
    .execute();
  return rows.map((row) => {
    return { communityId: row.community_id, channelId: row.id };
  });
}

/** All channels of a community, also deleted ones. */
export async function selectChannelIds(db: Reader, communityId: Id): Promise<readonly Id[]> {
  const rows = await db
    .selectFrom('channels')
    .select('id')
    .where('community_id', '=', communityId)
    .execute();
  return rows.map(({ id }) => id);
}

/** Removes a channel of which nothing else is left. */
export async function deleteChannelRow(db: Writer, id: Id): Promise<void> {
  await db.deleteFrom('channels').where('id', '=', id).execute();
}
