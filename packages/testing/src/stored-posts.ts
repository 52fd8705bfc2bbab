import type { Id } from '@hearth/protocol';
import type { Database } from '../../server/src/ports/database/database.ts';

/** The place, the author and the time of something. */
export interface StoredPlace {
  readonly id: Id;
  readonly channelId: Id;
  readonly communityId: Id;
  readonly userId: Id;
  readonly createdAtMs: number;
}

/** Writes the row of a post, without all else that belongs to posting. */
export async function storePost(
  database: Pick<Database, 'transaction'>,
  { id, channelId, communityId, userId, createdAtMs }: StoredPlace,
): Promise<void> {
  await database.transaction(async ({ sql }) => {
    await sql
      .insertInto('posts')
      .values({
        id: id,
        channel_id: channelId,
        community_id: communityId,
        user_id: userId,
        title: 'Roses',
        content: '',
        url: '',
        tags: '',
        mentions: '',
        files: '',
        created_at_ms: createdAtMs,
        edited_at_ms: 0,
        pinned: 0,
        locked: 0,
        spoiler: 0,
        sensitive: 0,
        from_channel_id: '',
        from_message_id: '',
        crosspost_of: '',
        accepted_comment_id: '',
        upvotes: 0,
        downvotes: 0,
        score: 0,
        hot: 0,
        active: 0,
        controversial: 0,
        comment_count: 0,
        comment_number: 0,
        last_comment_at_ms: 0,
        newest_comment_id: '',
        newest_comment_at_ms: 0,
        version: 1,
      })
      .execute();
  });
}

/** Writes the row of a comment on a post, which replies to the post itself. */
export async function storeComment(
  database: Pick<Database, 'transaction'>,
  { id, channelId, communityId, userId, createdAtMs }: StoredPlace,
  { postId, number = 1 }: { readonly postId: Id; readonly number?: number },
): Promise<void> {
  await database.transaction(async ({ sql }) => {
    await sql
      .insertInto('comments')
      .values({
        id: id,
        post_id: postId,
        channel_id: channelId,
        community_id: communityId,
        user_id: userId,
        number,
        path: number.toString(36).padStart(6, '0'),
        parent_id: '',
        depth: 0,
        content: 'Indeed',
        mentions: '',
        created_at_ms: createdAtMs,
        edited_at_ms: 0,
        deleted_at_ms: 0,
        upvotes: 0,
        downvotes: 0,
        score: 0,
        controversial: 0,
        reply_count: 0,
        version: 1,
      })
      .execute();
  });
}

/** Writes the row of a poll with two options, `1` and `2`. */
export async function storePoll(
  database: Pick<Database, 'transaction'>,
  {
    channelId,
    postId,
    endsAtMs,
  }: { readonly channelId: Id; readonly postId: Id; readonly endsAtMs: number },
): Promise<void> {
  const options = ['1', '2'].map((id) => ({ id, text: `Option ${id}`, votes: 0 }));
  await database.transaction(async ({ sql }) => {
    await sql
      .insertInto('polls')
      .values({
        post_id: postId,
        channel_id: channelId,
        options: JSON.stringify(options),
        multiple: 0,
        ends_at_ms: endsAtMs,
        voters: 0,
      })
      .execute();
  });
}
