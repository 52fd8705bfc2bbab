// What other features may read and lock of posts.
export { completePosts } from './complete-posts.ts';
export { selectPostRange } from './search-store.ts';
export { lockPost, selectNamedPosts, selectPost, selectPosts, selectStoredPosts } from './store.ts';
export { postOf, type StoredPost } from './stored-post.ts';
