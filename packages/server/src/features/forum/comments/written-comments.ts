// What other features may read of comments.
export { completeListed } from './complete-comments.ts';
export { selectCommentRange, selectCommentsLeft, selectNewestComments } from './search-store.ts';
export { selectComments } from './store.ts';
export type { StoredComment } from './stored-comment.ts';
