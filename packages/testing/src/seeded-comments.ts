import type { Id } from '@hearth/protocol';
import {
  pathBelow,
  type StoredComment,
} from '../../server/src/features/forum/comments/stored-comment.ts';
import type { CommentsTable } from '../../server/src/features/forum/comments/tables.ts';
import { mentionsText } from '../../server/src/features/talk/mentions/mentions.ts';
import type { Database } from '../../server/src/ports/database/database.ts';
import { NO_ID } from '../../server/src/ports/database/stored-id.ts';
import type { StoredPlace } from './stored-posts.ts';

/** The number of rows that one statement adds, so that it has few enough parameters. */
const ROWS_AT_ONCE = 500;

/** A comment of a tree: which of the comments before it it replies to, and how many votes it has. */
export interface SeededComment {
  /** The place of its parent in the list; undefined if it replies to the post. */
  readonly parent: number | undefined;
  readonly upvotes: number;
  readonly downvotes: number;
}

/** Stores the comments of a tree, whose ids and numbers grow in the order of the list. */
export async function seedComments(
  database: Pick<Database, 'transaction'>,
  { id: postId, channelId, communityId, userId, createdAtMs }: StoredPlace,
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
    for (let from = 0; from < comments.length; from += ROWS_AT_ONCE) {
      const rows = comments.slice(from, from + ROWS_AT_ONCE).map(rowOf);
      await sql.insertInto('comments').values(rows).execute();
    }
    await sql
      .updateTable('posts')
      .set({ comment_count: comments.length, comment_number: comments.length })
      .where('id', '=', postId)
      .execute();
  });
  return comments;
}

function rowOf(comment: StoredComment): CommentsTable {
  return {
    id: comment.id,
    post_id: comment.postId,
    channel_id: comment.channelId,
    community_id: comment.communityId,
    user_id: comment.userId === '' ? NO_ID : comment.userId,
    number: comment.number,
    path: comment.path,
    parent_id: comment.parentId,
    depth: comment.depth,
    content: comment.content,
    mentions: mentionsText(comment.mentions),
    created_at_ms: comment.createdAtMs,
    edited_at_ms: comment.editedAtMs,
    deleted_at_ms: comment.deletedAtMs,
    upvotes: comment.upvotes,
    downvotes: comment.downvotes,
    score: comment.score,
    controversial: comment.controversial,
    reply_count: comment.replyCount,
    version: comment.version,
  };
}
