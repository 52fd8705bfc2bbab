import type { RemoveRecent } from '../features/communities/bans/remove-recent.ts';
import { deleteCommentsOf } from '../features/forum/comments/delete-comments-of.ts';
import { deletePostsOf } from '../features/forum/posts/delete-posts-of.ts';
import { deleteMessagesOf } from '../features/talk/messages/delete-messages.ts';
import type { InstanceContext } from '../instance-context.ts';

/** Functions that remove what somebody posted shortly before a ban. */
export const RECENT_REMOVERS: readonly RemoveRecent<InstanceContext>[] = [
  deleteMessagesOf,
  deletePostsOf,
  deleteCommentsOf,
];
