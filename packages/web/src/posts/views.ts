// What this file shares with the first load runs before that. With the other views that are loaded on use, it needs nothing
// that would divide the first load once more.
import '../account/views.ts';

export { FeedView } from './list/feed-view.tsx';
export { MessagePostDialog } from './compose/message-post-dialog.tsx';
export { PostPage } from './post/post-page.tsx';
export { PostsPlace } from './list/posts-place.tsx';
export { findHits } from './search/find-hits.ts';
export { UserActivity } from './user/user-activity.tsx';
export { UserPage } from './user/user-page.tsx';
