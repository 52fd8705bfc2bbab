export { asRead, lockAsRead } from './as-read.ts';
export { clearReaders } from './clear-readers.ts';
export { REMOVE_COMMENTS, type CommentRemoval } from './comment-removal.ts';
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
  type CommentedPost,
} from './commented-post-store.ts';
export { CommentedPosts, type KeepsCommentedPosts } from './commented-posts.ts';
export { completePosts } from './complete-posts.ts';
export { correctPost, lockPosts, lockPostsAfter } from './counted-post-store.ts';
export { findPost } from './find-post.ts';
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
export { ACTIVE_FOR_MS, controversyOf, ranksOf } from './ranks.ts';
export { selectPostRange } from './search-store.ts';
export { selectNamedPosts, selectPosts } from './store.ts';
export type { StoredPost } from './stored-post.ts';
export { votedPosts } from './voted-post-store.ts';
