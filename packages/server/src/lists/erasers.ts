import type { EraseContent } from '../features/accounts/erasure/erase-account.ts';
import { eraseExport } from '../features/accounts/exports/remove-export.ts';
import { eraseRequests } from '../features/communities/join-requests/drop-request.ts';
import { eraseMemberships } from '../features/communities/members/erase-memberships.ts';
import { eraseUploads } from '../features/files/uploads/erase-uploads.ts';
import { eraseComments } from '../features/forum/comments/delete-comments-of.ts';
import { erasePollVotes } from '../features/forum/polls/choices-of-person.ts';
import { erasePosts } from '../features/forum/posts/delete-posts-of.ts';
import { eraseVotes } from '../features/forum/voting/erase-votes.ts';
import { eraseUser } from '../features/talk/lobby/changes/erase-user.ts';
import { eraseChannelMessages } from '../features/talk/messages/erase-messages.ts';
import type { InstanceContext } from '../instance-context.ts';

/** Functions that erase what a deleted account wrote and uploaded. */
export const ERASERS: readonly EraseContent<InstanceContext>[] = [
  eraseMemberships,
  eraseRequests,
  eraseExport,
  eraseUser,
  eraseChannelMessages,
  eraseComments,
  erasePosts,
  eraseUploads,
  eraseVotes,
  erasePollVotes,
];
