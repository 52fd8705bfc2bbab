import type { ExportPart } from '../features/accounts/exports/export-part.ts';
import { exportAccountData } from '../features/accounts/own-account/export-account-data.ts';
import { exportSessions } from '../features/accounts/sessions/list-sessions.ts';
import { exportInvites } from '../features/communities/community-invites/export-invites.ts';
import { exportRequests } from '../features/communities/join-requests/list-requests.ts';
import { exportMemberships } from '../features/communities/members/export-memberships.ts';
import { exportUploads } from '../features/files/uploads/export-uploads.ts';
import { exportComments } from '../features/forum/comments/export-comments.ts';
import { exportPollVotes } from '../features/forum/polls/choices-of-person.ts';
import { exportPosts } from '../features/forum/posts/export-posts.ts';
import { exportVotes } from '../features/forum/votes/export-votes.ts';
import { exportLobby } from '../features/talk/lobby/export-messages.ts';
import { exportChannelMessages } from '../features/talk/messages/export-messages.ts';
import { exportReading } from '../features/talk/notifications/export-reading.ts';
import type { InstanceContext } from '../instance-context.ts';

/** Parts of the archive that people can request of their data. */
export const EXPORT_PARTS: readonly ExportPart<InstanceContext>[] = [
  exportAccountData,
  exportSessions,
  exportLobby,
  exportChannelMessages,
  exportComments,
  exportPosts,
  exportUploads,
  exportReading,
  exportMemberships,
  exportRequests,
  exportInvites,
  exportVotes,
  exportPollVotes,
];
