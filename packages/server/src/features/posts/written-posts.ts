// What other features may read and lock of posts.
export { completePosts } from './complete-posts.ts';
export { selectPostRange } from './search-store.ts';
export { lockPost, selectPost, selectPosts, selectStoredPosts } from './store.ts';
export { postOf, type PostMentions, type StoredPost } from './stored-post.ts';
