import { eraseComments } from './features/comments/erase-comments.ts';
import type { EraseContent } from './features/erasure/eraser.ts';
import { eraseExport } from './features/exports/remove-export.ts';
import { eraseRequests } from './features/join-requests/erase-requests.ts';
import { eraseUser } from './features/lobby/changes/erase-user.ts';
import { eraseMemberships } from './features/members/erase-memberships.ts';
import { eraseChannelMessages } from './features/messages/erase-messages.ts';
import { erasePosts } from './features/posts/erase-posts.ts';
import { eraseUploads } from './features/uploads/erase-uploads.ts';
import { erasePollVotes } from './features/polls/erase-poll-votes.ts';
import { eraseVotes } from './features/voting/erase-votes.ts';
import type { InstanceContext } from './instance-context.ts';

/** What is done with what the person of a deleted account wrote and uploaded, by the features that keep it. */
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
