export {
  selectActivity,
  correctComment,
  countComments,
  countReplies,
  lockCommentsAfter,
} from './counted-comment-store.ts';
export { completeListed } from './complete-comments.ts';
export { listComments, type CommentsContext } from './list-comments.ts';
export { selectComments, selectNewestCommentIds } from './store.ts';
export { ShownPages, type KeepsShownPages } from './shown-pages.ts';
export type { StoredComment } from './stored-comment.ts';
export { votedComments } from './voted-comment-store.ts';
