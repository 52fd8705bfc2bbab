import type { Id } from '@hearth/protocol';
import { NO_ID } from '../../../ports/database/stored-id.ts';
import { mentionsText, storedMentions, type Mentions } from '../../talk/mentions/mentions.ts';
import type { CommentsTable } from './tables.ts';

/** How many characters of a path each level takes. */
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
    number: Number(row.number),
    path: row.path,
    parentId: row.parent_id,
    depth: Number(row.depth),
    content: row.content,
    mentions: storedMentions(row.mentions),
    createdAtMs: row.created_at_ms,
    editedAtMs: row.edited_at_ms,
    deletedAtMs: row.deleted_at_ms,
    upvotes: Number(row.upvotes),
    downvotes: Number(row.downvotes),
    score: Number(row.score),
    controversial: Number(row.controversial),
    replyCount: Number(row.reply_count),
    version: Number(row.version),
  };
}

export function rowOf(comment: StoredComment): CommentsTable {
  return {
    id: comment.id,
    post_id: comment.postId,
    channel_id: comment.channelId,
    community_id: comment.communityId,
    user_id: comment.userId === '' ? NO_ID : comment.userId,
    number: comment.number,
    path: comment.path,
    parent_id: parentColumn(comment.parentId),
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

/** A parent as it is stored. */
export function parentColumn(parentId: Id | ''): Id | '' {
  return parentId;
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
