import type { Id } from '@hearth/protocol';
import type { Reader } from '../../../ports/database/database.ts';
import { newestBetween, type IdRange } from '../../../ports/database/id-range.ts';
import { postOf, type StoredPost } from './stored-post.ts';

/** The posts of a channel in a range, the newest first. */
export async function selectPostRange(
  db: Reader,
  channelId: Id,
  range: IdRange,
): Promise<readonly StoredPost[]> {
  const posts = db.selectFrom('posts').selectAll().where('channel_id', '=', channelId);
  return (await newestBetween(posts, range)).map(postOf);
}
