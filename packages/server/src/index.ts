export { OWNER } from './actor.ts';
export { enlargeThreadPool } from './runtime/thread-pool.ts';
export { isEverywhere } from './config/component-addresses.ts';
export type { WebClient } from './components/web/start-web.ts';
export { ConfigError, loadConfig } from './config/load-config.ts';
export type { Config } from './config/config.ts';
export { COMPONENT_NAMES } from './config/engine-types.ts';
export { environmentHelp, type FirstSettings } from './config/example-files.ts';
export { likelyWord } from './config/nearest.ts';
export { failureReason } from './config/wording.ts';
export { errorCode, errorMessage } from './lib/error-code.ts';
export { listJobs } from './features/jobs/list-jobs.ts';
export { removeJob } from './features/jobs/remove-job.ts';
export { retryJob } from './features/jobs/retry-job.ts';
export type { StoredJob } from './features/jobs/store.ts';
export { findMessageFiles } from './features/lobby/find-message-files.ts';
export { findMessage } from './features/lobby/find-message.ts';
export { findMessages, type MessageFilter } from './features/lobby/find-messages.ts';
export { listNewestMessages } from './features/lobby/list-newest-messages.ts';
export { banAuthor } from './features/moderation/ban-author.ts';
export { banClients } from './features/moderation/ban-clients.ts';
export { parseClientRange } from './client-range.ts';
export { listBans } from './features/moderation/list-bans.ts';
export { listRestrictions } from './features/moderation/list-restrictions.ts';
export { pause } from './features/moderation/pause.ts';
export { resume } from './features/moderation/resume.ts';
export { setSlowMode } from './features/moderation/set-slow-mode.ts';
export { newAccessCode } from './features/moderation/new-access-code.ts';
export { setAccessCode } from './features/moderation/set-access-code.ts';
export { showAccessCode } from './features/moderation/show-access-code.ts';
export type { Ban, StoredRestrictions } from './features/moderation/store.ts';
export { unban } from './features/moderation/unban.ts';
export { approveUser } from './features/manage-users/approve-user.ts';
export { createUser } from './features/manage-users/create-user.ts';
export { deleteUser } from './features/manage-users/delete-user.ts';
export { disableUser } from './features/manage-users/disable-user.ts';
export { enableUser } from './features/manage-users/enable-user.ts';
export { endAnySession, endSessionsOfUser } from './features/manage-users/end-any-session.ts';
export { endEverySession } from './features/manage-users/end-every-session.ts';
export { listAllSessions } from './features/manage-users/list-all-sessions.ts';
export { listUsers } from './features/manage-users/list-users.ts';
export { makeStaff } from './features/manage-users/make-staff.ts';
export {
  resetUserPassword,
  type PasswordOfUser,
} from './features/manage-users/reset-user-password.ts';
export { showUser, type ShownUser } from './features/manage-users/show-user.ts';
export type { ManagedSession, ManagedUser } from './features/manage-users/store.ts';
export { blockRegistration } from './features/registration/block-registration.ts';
export { parseBlockable } from './features/registration/blockable.ts';
export { createInvite } from './features/registration/create-invite.ts';
export { listInvites } from './features/registration/list-invites.ts';
export { listRegistrationBlocks } from './features/registration/list-registration-blocks.ts';
export { revokeInvite } from './features/registration/revoke-invite.ts';
export type { Invite, RegistrationBlock } from './features/registration/store.ts';
export { unblockRegistration } from './features/registration/unblock-registration.ts';
export type {
  ContentFault,
  MovedContents,
  TableReport,
  MoveProgress,
  MoveReport,
} from './features/move-instance/move.ts';
export { removeMessage } from './features/lobby/remove-message.ts';
export { removeMessages } from './features/lobby/remove-messages.ts';
export { rebuildCounters } from './features/counters/rebuild-counters.ts';
export { rebuildSearch } from './features/search/rebuild-search.ts';
export { rotateKeys } from './features/sessions/rotate-keys.ts';
export { addStatic } from './features/statics/add-static.ts';
export { listStatics } from './features/statics/list-statics.ts';
export { removeStatic } from './features/statics/remove-static.ts';
export type { StaticFile } from './features/statics/store.ts';
export { describeStorage } from './features/uploads/describe-storage.ts';
export { listUploads } from './features/uploads/list-uploads.ts';
export { removeUpload } from './features/uploads/remove-upload.ts';
export type { ListedUpload } from './features/uploads/with-uploaders.ts';
export {
  openOwnerContext,
  startInstance,
  type Instance,
  type InstanceParts,
  type OwnerContext,
  type OwnerPurpose,
} from './instance.ts';
export { createLogger } from './log/logger.ts';
export { migrateInstance } from './migrate-instance.ts';
export { PAUSABLE, type Pausable, type Term } from './restrictions.ts';
export { StartError } from './lib/start-error.ts';
export { HEARTH_VERSION } from './lib/version.ts';
export { writeWhole } from './lib/write-whole.ts';
