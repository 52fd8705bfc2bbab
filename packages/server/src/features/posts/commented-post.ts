// What comments read of their post, and what they count in it.
export {
  clearAccepted,
  findCommentedPost,
  lockCommentedPost,
  lockCommentedPosts,
  selectTitles,
  setActivity,
  uncountComments,
  updateCommented,
  withComment,
  type CommentedPost,
} from './commented-post-store.ts';
