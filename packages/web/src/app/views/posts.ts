// What these views share with those of accounts comes with them, in one file.
import './account.ts';
import './search.ts';

export { FeedView } from '../../posts/list/feed-view.tsx';
export { MessagePostDialog } from '../../posts/compose/message-post-dialog.tsx';
export { PostPage } from '../../posts/post/post-page.tsx';
export { PostsPlace } from '../../posts/list/posts-place.tsx';
export { UserActivity } from '../../posts/user/user-activity.tsx';
export { UserPage } from '../../posts/user/user-page.tsx';
