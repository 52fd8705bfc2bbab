// What these views share with those of accounts comes with them, in one file.
import '../account/views.ts';

export { FeedView } from './list/feed-view.tsx';
export { MessagePostDialog } from './compose/message-post-dialog.tsx';
export { PostPage } from './post/post-page.tsx';
export { PostsPlace } from './list/posts-place.tsx';
export { findHits } from './search/find-hits.ts';
export { UserActivity } from './user/user-activity.tsx';
export { UserPage } from './user/user-page.tsx';
