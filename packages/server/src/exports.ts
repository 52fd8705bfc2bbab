import type { ExportPart } from './features/exports/export-part.ts';
import { exportComments } from './features/comments/export-comments.ts';
import { exportInvites } from './features/community-invites/export-invites.ts';
import { exportRequests } from './features/join-requests/export-requests.ts';
import { exportLobby } from './features/lobby/export-messages.ts';
import { exportMemberships } from './features/members/export-memberships.ts';
import { exportChannelMessages } from './features/messages/export-messages.ts';
import { exportPosts } from './features/posts/export-posts.ts';
import { exportReading } from './features/notifications/export-reading.ts';
import { exportSessions } from './features/sessions/export-sessions.ts';
import { exportUploads } from './features/uploads/export-uploads.ts';
import { exportAccountData } from './features/own-account/export-account-data.ts';
import { exportPollVotes } from './features/polls/export-poll-votes.ts';
import { exportVotes } from './features/votes/export-votes.ts';
import type { InstanceContext } from './instance-context.ts';

/** What people get in the archive that they ask for, by the features that keep it. */
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
