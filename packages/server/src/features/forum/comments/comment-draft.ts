import type { Comment, Id } from '@hearth/protocol';
import type { Draft, Entry, Placed } from '../../talk/writing/writing.ts';
import type { CommentedPost } from '../posts/posts.ts';
import type { Named } from './describe-comment.ts';
import type { CommentMentions, StoredComment } from './stored-comment.ts';

/** A comment before it has a place below its post. */
export interface CommentDraft extends Draft {
  readonly postId: Id;
  /** Empty if it replies to the post itself. */
  readonly parentId: Id | '';
  readonly mentions: CommentMentions;
  /** The people whom it names, and the posts that it mentions. */
  readonly users: Named['users'];
  readonly posts: Comment['mention_posts'];
}

/** A comment among those that are written together. */
export type CommentEntry = Entry<CommentDraft>;

/** A comment in the order of its post. */
export interface PlacedComment extends Placed<CommentDraft> {
  readonly comment: StoredComment;
  /** The post with this comment. */
  readonly post: CommentedPost;
  /** The number of replies that the comment has by then that it replies to; undefined if it replies to the post. */
  readonly parentReplyCount: number | undefined;
}
