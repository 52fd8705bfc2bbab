export { asRead, lockAsRead } from './as-read.ts';
export { clearReaders, REMOVE_COMMENTS, type CommentRemoval } from './remove-posts.ts';
export {
  findCommentedPost,
  lockCommentedPost,
  lockCommentedPosts,
  selectTitles,
  setAccepted,
  setActivity,
  uncountComments,
  updateCommented,
  withComment,
  CommentedPosts,
  type CommentedPost,
  type KeepsCommentedPosts,
} from './commented-post-store.ts';
export { completePosts, findPost } from './complete-posts.ts';
export {
  correctPost,
  lockPosts,
  lockPostsAfter,
  selectNamedPosts,
  selectNewestPostIds,
  selectPosts,
  type WrittenRange,
} from './store.ts';
export { holdAudited, inTurnOfPost, type TurnOfPost } from './in-turn-of-post.ts';
export {
  accessToPost,
  requireAuthorOrModerator,
  requireOpen,
  requirePosts,
} from './post-access.ts';
export { namedInEvents, postInEvents } from './post-in-events.ts';
export { POST_SIGNAL, type PostSignal } from './post-signal.ts';
export type { PostsContext } from './posts-context.ts';
export { rangeOf, type WrittenBy } from './delete-posts-of.ts';
export { ACTIVE_FOR_MS, controversyOf, ranksOf } from './ranks.ts';
export type { StoredPost } from './stored-post.ts';
export { votedPosts } from './voted-post-store.ts';
