import type { Id } from '@hearth/protocol';
import type { PostsTable } from '../../server/src/features/forum/posts/tables.ts';
import { ranksOf } from '../../server/src/features/forum/posts/ranks.ts';
import type { Database } from '../../server/src/ports/database/database.ts';

/** A post that is written to the database without what posting does besides. */
export interface WrittenPost {
  readonly id: Id;
  readonly channelId: Id;
  readonly communityId: Id;
  readonly userId: Id;
  readonly createdAtMs: number;
  readonly upvotes?: number;
  readonly downvotes?: number;
  readonly activeAtMs?: number;
  readonly tags?: readonly Id[];
  /** When it was pinned. */
  readonly pinnedAtMs?: number;
}

/** Writes posts, each with its tags and pin. */
export async function writePosts(
  database: Pick<Database, 'transaction'>,
  posts: readonly WrittenPost[],
): Promise<void> {
  if (posts.length === 0) return;
  const tagged = posts.flatMap(({ id, channelId, tags = [] }) =>
    tags.map((tag) => ({ tag_id: tag, post_id: id, channel_id: channelId })),
  );
  const pinned = posts.flatMap(({ id, channelId, pinnedAtMs }) =>
    pinnedAtMs === undefined
      ? []
      : [{ channel_id: channelId, post_id: id, pinned_at_ms: pinnedAtMs }],
  );
  await database.transaction(async ({ sql }) => {
    await sql.insertInto('posts').values(posts.map(rowOf)).execute();
    if (tagged.length > 0) await sql.insertInto('post_tags').values(tagged).execute();
    if (pinned.length > 0) await sql.insertInto('post_pins').values(pinned).execute();
  });
}

/** Votes for a post that was written. */
export async function writeVotes(
  database: Pick<Database, 'transaction'>,
  post: WrittenPost,
): Promise<void> {
  const { upvotes, downvotes, score, hot, active, controversial } = rowOf(post);
  await database.transaction(({ sql }) =>
    sql
      .updateTable('posts')
      .set({ upvotes, downvotes, score, hot, active, controversial })
      .where('id', '=', post.id)
      .execute(),
  );
}

/** Removes posts that were written. */
export async function removePosts(
  database: Pick<Database, 'transaction'>,
  ids: readonly Id[],
): Promise<void> {
  await database.transaction(({ sql }) => sql.deleteFrom('posts').where('id', 'in', ids).execute());
}

function rowOf(post: WrittenPost): PostsTable {
  const { upvotes = 0, downvotes = 0, createdAtMs, activeAtMs = 0, tags = [] } = post;
  const ranks = ranksOf({ upvotes, downvotes, createdAtMs, activeAtMs });
  return {
    ...{ id: post.id, channel_id: post.channelId, community_id: post.communityId },
    ...{ user_id: post.userId, title: `Post ${post.id}`, content: '', url: '', mentions: '' },
    ...{ tags: tags.length === 0 ? '' : JSON.stringify(tags), files: '', edited_at_ms: 0 },
    ...{ created_at_ms: createdAtMs, pinned: post.pinnedAtMs === undefined ? 0 : 1, locked: 0 },
    ...{ spoiler: 0, sensitive: 0, from_channel_id: '', from_message_id: '', crosspost_of: '' },
    ...{ accepted_comment_id: '', upvotes, downvotes, ...ranks, comment_count: 0 },
    ...{ comment_number: 0, last_comment_at_ms: activeAtMs, version: 1 },
    ...{ newest_comment_id: '', newest_comment_at_ms: 0 },
  };
}
