// What other features may read and lock of posts.
export { lockPost, selectPost, selectPosts, selectStoredPosts } from './store.ts';
export { postOf, type PostMentions, type StoredPost } from './stored-post.ts';
