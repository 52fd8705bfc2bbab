import type { Id } from '@hearth/protocol';
import type { Reader } from '../../../ports/database/database.ts';
import { newestBetween, type IdRange } from '../../../ports/database/id-range.ts';
import { commentOf, type StoredComment } from './stored-comment.ts';

/** The comments of a channel in a range that were not deleted, the newest first. */
export async function selectCommentRange(
  db: Reader,
  channelId: Id,
  range: IdRange,
): Promise<readonly StoredComment[]> {
  return (await newestBetween(left(db, channelId), range)).map(commentOf);
}

/** Comments of a channel by their ids, without those that were deleted; in no order. */
export async function selectCommentsLeft(
  db: Reader,
  channelId: Id,
  ids: readonly Id[],
): Promise<readonly StoredComment[]> {
  if (ids.length === 0) return [];
  const rows = await left(db, channelId).where('id', 'in', ids).execute();
  return rows.map(commentOf);
}

/** The ids of the newest comments, deleted ones among them, by the ids of the channels. */
export async function selectNewestComments(
  db: Reader,
  channelIds: readonly Id[],
): Promise<ReadonlyMap<Id, Id>> {
  if (channelIds.length === 0) return new Map();
  // One look at the index for each channel, which no grouping does.
  const rows = await db
    .selectFrom('channels')
    .select((of) => [
      'channels.id as channel_id',
      of
        .selectFrom('comments')
        .select(({ fn }) => fn.max('comments.id').as('newest_id'))
        .whereRef('comments.channel_id', '=', 'channels.id')
        .as('newest_id'),
    ])
    .where('channels.id', 'in', channelIds)
    .execute();
  return new Map(
    rows.flatMap((row) =>
      row.newest_id === null ? [] : [[row.channel_id, row.newest_id] as const],
    ),
  );
}

function left(db: Reader, channelId: Id) {
  return db
    .selectFrom('comments')
    .selectAll()
    .where('channel_id', '=', channelId)
    .where('deleted_at_ms', '=', 0);
}
