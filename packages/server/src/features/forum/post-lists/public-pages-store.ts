import type { Id } from '@hearth/protocol';
import type { Reader } from '../../../ports/database/database.ts';

/** A post as far as an address names it. */
export interface NamedPost {
  readonly id: Id;
  readonly channelId: Id;
  readonly communityId: Id;
  readonly title: string;
  readonly changedAtMs: number;
}

/** The newest posts of the whole instance, without sensitive ones. */
export async function selectNewestPosts(
  db: Reader,
  { before, limit }: { readonly before: Id | undefined; readonly limit: number },
): Promise<readonly NamedPost[]> {
  let query = db
    .selectFrom('posts')
    .select(['id', 'channel_id', 'community_id', 'title', 'created_at_ms', 'edited_at_ms'])
    .where('sensitive', '=', 0);
  if (before !== undefined) query = query.where('id', '<', before);
  const rows = await query.orderBy('id', 'desc').limit(limit).execute();
  return rows.map((row) => ({
    id: row.id,
    channelId: row.channel_id,
    communityId: row.community_id,
    title: row.title,
    changedAtMs: Math.max(row.created_at_ms, row.edited_at_ms),
  }));
}
