// What comments read of their post, and what they count in it.
export {
  clearAccepted,
  countComment,
  findCommentedPost,
  lockCommentedPost,
  selectTitles,
  setActivity,
  uncountComments,
  type CommentedPost,
} from './commented-post-store.ts';
