import type { Id } from '@hearth/protocol';
import { storedMentions, type Mentions } from '../../talk/mentions/mentions.ts';
import type { AttachedId } from '../../talk/writing/writing.ts';
import type { PostsTable } from './tables.ts';

export interface StoredPost {
  readonly id: Id;
  readonly channelId: Id;
  readonly communityId: Id;
  readonly userId: Id;
  readonly title: string;
  /** Empty if it has none. */
  readonly content: string;
  /** Empty if it has none. */
  readonly url: string;
  readonly tagIds: readonly Id[];
  readonly mentions: Mentions;
  readonly files: readonly AttachedId[];
  readonly createdAtMs: number;
  /** 0 if it was never edited. */
  readonly editedAtMs: number;
  readonly isPinned: boolean;
  readonly isLocked: boolean;
  readonly isSpoiler: boolean;
  readonly isSensitive: boolean;
  /** The message that it was made from; both are empty if it was not. */
  readonly fromChannelId: Id | '';
  readonly fromMessageId: Id | '';
  /** Empty if it repeats none. */
  readonly crosspostOf: Id | '';
  /** Empty if none was accepted. */
  readonly acceptedCommentId: Id | '';
  readonly upvotes: number;
  readonly downvotes: number;
  readonly score: number;
  readonly hot: number;
  readonly active: number;
  readonly controversial: number;
  readonly commentCount: number;
  /** The number of its newest comment. */
  readonly commentNumber: number;
  /** 0 if nobody else commented. */
  readonly lastCommentAtMs: number;
  readonly version: number;
}

export function postOf(row: PostsTable): StoredPost {
  return {
    id: row.id,
    channelId: row.channel_id,
    communityId: row.community_id,
    userId: row.user_id,
    title: row.title,
    content: row.content,
    url: row.url,
    // Guarantee: what is stored was made by the functions that write it.
    tagIds: row.tags === '' ? [] : (JSON.parse(row.tags) as readonly Id[]),
    mentions: storedMentions(row.mentions),
    files: row.files === '' ? [] : (JSON.parse(row.files) as readonly AttachedId[]),
    createdAtMs: row.created_at_ms,
    editedAtMs: row.edited_at_ms,
    isPinned: row.pinned > 0,
    isLocked: row.locked > 0,
    isSpoiler: row.spoiler > 0,
    isSensitive: row.sensitive > 0,
    fromChannelId: row.from_channel_id,
    fromMessageId: row.from_message_id,
    crosspostOf: row.crosspost_of,
    acceptedCommentId: row.accepted_comment_id,
    upvotes: row.upvotes,
    downvotes: row.downvotes,
    score: row.score,
    hot: row.hot,
    active: row.active,
    controversial: row.controversial,
    commentCount: row.comment_count,
    commentNumber: row.comment_number,
    lastCommentAtMs: row.last_comment_at_ms,
    version: row.version,
  };
}
