import type { CommentSort, Id } from '@hearth/protocol';
import type { ReceivedComment, ReceivedPost } from '@hearth/protocol/received-posts';

/** A post of any channel of the person's communities, as it is posted. */
export interface PostedPost {
  readonly community_id: Id | undefined;
  readonly post: ReceivedPost;
  /** True if it mentions the person by name. */
  readonly isMention: boolean;
  readonly isOwn: boolean;
}

/** The events that a client reports about posts. They are reported on gateways of profile 2 only. */
export interface PostEvents {
  /** Something was posted in any channel of the person's communities. */
  post: PostedPost;
  /** A post has changed. It comes without what depends on the reader, such as `my_vote`. */
  postUpdate: ReceivedPost;
  postDelete: { readonly channel_id: Id; readonly id: Id };
  /** Events of posts may be missing, because the connection was away: lists that are shown have to be read again. */
  postsMissed: object;
}

/** Which comments are shown first, and in which order. */
export interface LivePostOptions {
  readonly sort?: CommentSort | undefined;
  /** The number of levels of comments, 8 by default. */
  readonly depth?: number | undefined;
  /** The largest number of comments on a page, 50 by default. */
  readonly limit?: number | undefined;
}

/** The events that a post that is shown reports. */
export interface LivePostEvents {
  /** The post or its comments are not as they were. */
  change: object;
  /** Somebody has commented; reported also if the comment is not shown. */
  comment: ReceivedComment;
}
