import type { RemoveRecent } from './features/communities/bans/remove-recent.ts';
import { deleteCommentsOf } from './features/forum/comments/delete-comments-of.ts';
import { deleteMessagesOf } from './features/talk/messages/delete-messages.ts';
import { deletePostsOf } from './features/forum/posts/delete-posts-of.ts';
import type { InstanceContext } from './instance-context.ts';

/** What is done with what somebody posted shortly before they were banned, by the features that keep it. */
export const RECENT_REMOVERS: readonly RemoveRecent<InstanceContext>[] = [
  deleteMessagesOf,
  deletePostsOf,
  deleteCommentsOf,
];
