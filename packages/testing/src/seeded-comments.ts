import type { Id } from '@hearth/protocol';
import { insertComments } from '../../server/src/features/comments/store.ts';
import {
  pathBelow,
  type StoredComment,
} from '../../server/src/features/comments/stored-comment.ts';
import { ranksOf } from '../../server/src/features/post-lists/ranks.ts';
import { sortable } from '../../server/src/ports/database/sortable-id.ts';
import type { TestDatabase } from './servers/each-database.ts';

/** A post that is stored without a verb. */
export interface SeededPost {
  readonly id: Id;
  readonly channelId: Id;
  readonly communityId: Id;
  readonly userId: Id;
  readonly createdAtMs: number;
}

/** Stores a post without any comments. */
export async function seedPost(
  database: Pick<TestDatabase, 'transaction'>,
  { id, channelId, communityId, userId, createdAtMs }: SeededPost,
): Promise<void> {
  const { score, ...ranks } = ranksOf({ upvotes: 0, downvotes: 0, createdAtMs, activeAtMs: 0 });
  const empty = { content: '', url: '', tags: '', mentions: '', files: '' };
  const flags = { pinned: 0, locked: 0, spoiler: 0, sensitive: 0 };
  const origin = { from_channel_id: '', from_message_id: '', crosspost_of: '' };
  const counts = { upvotes: 0, downvotes: 0, comment_count: 0, comment_number: 0 };
  await database.transaction(async ({ sql }) => {
    await sql
      .insertInto('posts')
      .values({
        id: sortable(id),
        channel_id: channelId,
        community_id: communityId,
        user_id: userId,
        title: 'A post',
        ...empty,
        ...flags,
        ...origin,
        ...counts,
        ...ranks,
        score,
        accepted_comment_id: '',
        created_at_ms: createdAtMs,
        edited_at_ms: 0,
        last_comment_at_ms: 0,
        version: 1,
      })
      .execute();
  });
}

/** A comment of a tree: which of the comments before it it replies to, and how many votes it has. */
export interface SeededComment {
  /** The place of its parent in the list; undefined if it replies to the post. */
  readonly parent: number | undefined;
  readonly upvotes: number;
  readonly downvotes: number;
}

/** Stores the comments of a tree, whose ids and numbers grow in the order of the list. */
export async function seedComments(
  database: Pick<TestDatabase, 'transaction'>,
  { id: postId, channelId, communityId, userId, createdAtMs }: SeededPost,
  {
    comments: given,
    firstId,
    controversyOf,
  }: {
    readonly comments: readonly SeededComment[];
    readonly firstId: bigint;
    readonly controversyOf: (upvotes: number, downvotes: number) => number;
  },
): Promise<readonly StoredComment[]> {
  const comments: StoredComment[] = [];
  for (const [index, { parent, upvotes, downvotes }] of given.entries()) {
    const above = parent === undefined ? undefined : comments[parent];
    const number = index + 1;
    comments.push({
      // Guarantee: it is an id.
      id: String(firstId + BigInt(index)) as Id,
      postId,
      channelId,
      communityId,
      userId,
      number,
      path: pathBelow(above?.path ?? '', number),
      parentId: above?.id ?? '',
      depth: above === undefined ? 0 : above.depth + 1,
      content: `Comment ${number}`,
      mentions: {},
      createdAtMs: createdAtMs + index,
      editedAtMs: 0,
      deletedAtMs: 0,
      upvotes,
      downvotes,
      score: upvotes - downvotes,
      controversial: controversyOf(upvotes, downvotes),
      replyCount: given.filter((each) => each.parent === index).length,
      version: 1,
    });
  }
  await database.transaction(async ({ sql }) => {
    await insertComments(sql, comments);
    await sql
      .updateTable('posts')
      .set({ comment_count: comments.length, comment_number: comments.length })
      .where('id', '=', sortable(postId))
      .execute();
  });
  return comments;
}
