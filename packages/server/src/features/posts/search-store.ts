import type { Id } from '@hearth/protocol';
import type { Reader } from '../../ports/database/database.ts';
import { sortable } from '../../ports/database/sortable-id.ts';
import { postOf, type StoredPost } from './stored-post.ts';

/** Posts of a channel between two ids. Those right after `after` if there is no `before`, otherwise the newest. */
export interface PostRange {
  readonly after?: Id | undefined;
  readonly before?: Id | undefined;
  readonly limit: number;
}

/** The posts of a range, the newest first. */
export async function selectPostRange(
  db: Reader,
  channelId: Id,
  { after, before, limit }: PostRange,
): Promise<readonly StoredPost[]> {
  let query = db.selectFrom('posts').selectAll().where('channel_id', '=', channelId);
  if (after !== undefined) query = query.where('id', '>', sortable(after));
  if (before !== undefined) query = query.where('id', '<', sortable(before));
  const isUpwards = after !== undefined && before === undefined;
  const rows = await query
    .orderBy('id', isUpwards ? 'asc' : 'desc')
    .limit(limit)
    .execute();
  const posts = rows.map(postOf);
  return isUpwards ? posts.toReversed() : posts;
}
