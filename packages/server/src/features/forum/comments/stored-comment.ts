import type { Id } from '@hearth/protocol';
import { storedMentions, type Mentions } from '../../talk/mentions/mentions.ts';
import type { CommentsTable } from './tables.ts';

/** The number of characters of a path that each level takes. */
const LEVEL_CHARACTERS = 6;

const BASE = 36;

export type CommentMentions = Pick<Mentions, 'users' | 'posts'>;

export interface StoredComment {
  readonly id: Id;
  readonly postId: Id;
  readonly channelId: Id;
  readonly communityId: Id;
  /** Empty once it was deleted. */
  readonly userId: Id | '';
  readonly number: number;
  readonly path: string;
  /** Empty if it replies to the post itself. */
  readonly parentId: Id | '';
  readonly depth: number;
  readonly content: string;
  readonly mentions: CommentMentions;
  readonly createdAtMs: number;
  /** 0 if it was never edited. */
  readonly editedAtMs: number;
  /** 0 unless it was deleted. */
  readonly deletedAtMs: number;
  readonly upvotes: number;
  readonly downvotes: number;
  readonly score: number;
  readonly controversial: number;
  readonly replyCount: number;
  readonly version: number;
}

export function commentOf(row: CommentsTable): StoredComment {
  return {
    id: row.id,
    postId: row.post_id,
    channelId: row.channel_id,
    communityId: row.community_id,
    userId: row.user_id,
    number: row.number,
    path: row.path,
    parentId: row.parent_id,
    depth: row.depth,
    content: row.content,
    mentions: storedMentions(row.mentions),
    createdAtMs: row.created_at_ms,
    editedAtMs: row.edited_at_ms,
    deletedAtMs: row.deleted_at_ms,
    upvotes: row.upvotes,
    downvotes: row.downvotes,
    score: row.score,
    controversial: row.controversial,
    replyCount: row.reply_count,
    version: row.version,
  };
}

/** The path of a comment with a number below a comment with a path, or below the post. */
export function pathBelow(parentPath: string, number: number): string {
  return parentPath + number.toString(BASE).padStart(LEVEL_CHARACTERS, '0');
}

/** The paths of the nearest so many comments above a path, the topmost first. */
export function pathsAbove(path: string, most: number): readonly string[] {
  const depth = path.length / LEVEL_CHARACTERS - 1;
  const count = Math.min(depth, most);
  return Array.from({ length: count }, (_, index) =>
    path.slice(0, (depth - count + index + 1) * LEVEL_CHARACTERS),
  );
}
