// The client commands and the SDK are a separate bundle, which is loaded when one of them runs. A start does not load it.
export { login } from '../accounts/login.ts';
export { logout } from '../accounts/logout.ts';
export { isSignedIn } from '../accounts/stored-tokens.ts';
export { listLogins, whoami } from '../accounts/whoami.ts';
export { chat } from './chat.ts';
export { commentOnPost, votePost } from './change-posts.ts';
export { createPost } from './create-post.ts';
export { listPosts } from './list-posts.ts';
export { search } from './search.ts';
export { countFound, searchAll } from './search-all.ts';
export { searchPosts } from './search-posts.ts';
export { send } from './send.ts';
export { showPost } from './show-post.ts';
export { tail } from './tail.ts';
export { upload } from './upload.ts';
