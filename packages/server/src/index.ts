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
export { listJobs } from './features/platform/jobs/list-jobs.ts';
export { removeJob } from './features/platform/jobs/remove-job.ts';
export { retryJob } from './features/platform/jobs/retry-job.ts';
export type { StoredJob } from './features/platform/jobs/store.ts';
export { findMessageFiles } from './features/talk/lobby/find-message-files.ts';
export { findMessage } from './features/talk/lobby/find-message.ts';
export { findMessages, type MessageFilter } from './features/talk/lobby/find-messages.ts';
export { listNewestMessages } from './features/talk/lobby/list-newest-messages.ts';
export { banAuthor } from './features/accounts/moderation/ban-author.ts';
export { banClients } from './features/accounts/moderation/ban-clients.ts';
export { parseClientRange } from './client-range.ts';
export { listBans } from './features/accounts/moderation/list-bans.ts';
export { listRestrictions } from './features/accounts/moderation/list-restrictions.ts';
export { pause } from './features/accounts/moderation/pause.ts';
export { resume } from './features/accounts/moderation/resume.ts';
export { setSlowMode } from './features/accounts/moderation/set-slow-mode.ts';
export { newAccessCode } from './features/accounts/moderation/new-access-code.ts';
export { setAccessCode } from './features/accounts/moderation/set-access-code.ts';
export { showAccessCode } from './features/accounts/moderation/show-access-code.ts';
export type { Ban, StoredRestrictions } from './features/accounts/moderation/store.ts';
export { unban } from './features/accounts/moderation/unban.ts';
export { approveUser } from './features/accounts/manage-users/approve-user.ts';
export { createUser } from './features/accounts/manage-users/create-user.ts';
export { deleteUser } from './features/accounts/manage-users/delete-user.ts';
export { disableUser } from './features/accounts/manage-users/disable-user.ts';
export { enableUser } from './features/accounts/manage-users/enable-user.ts';
export {
  endAnySession,
  endSessionsOfUser,
} from './features/accounts/manage-users/end-any-session.ts';
export { endEverySession } from './features/accounts/manage-users/end-every-session.ts';
export { listAllSessions } from './features/accounts/manage-users/list-all-sessions.ts';
export { listUsers } from './features/accounts/manage-users/list-users.ts';
export { makeStaff } from './features/accounts/manage-users/make-staff.ts';
export {
  resetUserPassword,
  type PasswordOfUser,
} from './features/accounts/manage-users/reset-user-password.ts';
export { showUser, type ShownUser } from './features/accounts/manage-users/show-user.ts';
export type { ManagedSession, ManagedUser } from './features/accounts/manage-users/store.ts';
export { blockRegistration } from './features/accounts/registration/block-registration.ts';
export { parseBlockable } from './features/accounts/registration/blockable.ts';
export { createInvite } from './features/accounts/registration/create-invite.ts';
export { listInvites } from './features/accounts/registration/list-invites.ts';
export { listRegistrationBlocks } from './features/accounts/registration/list-registration-blocks.ts';
export { revokeInvite } from './features/accounts/registration/revoke-invite.ts';
export type { Invite, RegistrationBlock } from './features/accounts/registration/store.ts';
export { unblockRegistration } from './features/accounts/registration/unblock-registration.ts';
export type {
  ContentFault,
  MovedContents,
  TableReport,
  MoveProgress,
  MoveReport,
} from './features/operation/move-instance/move.ts';
export { removeMessage } from './features/talk/lobby/remove-message.ts';
export { removeMessages } from './features/talk/lobby/remove-messages.ts';
export { rebuildCounters } from './features/forum/counters/rebuild-counters.ts';
export { rebuildSearch } from './features/search/search/rebuild-search.ts';
export { rotateKeys } from './features/accounts/sessions/rotate-keys.ts';
export { addStatic } from './features/files/statics/add-static.ts';
export { listStatics } from './features/files/statics/list-statics.ts';
export { removeStatic } from './features/files/statics/remove-static.ts';
export type { StaticFile } from './features/files/statics/store.ts';
export { describeStorage } from './features/files/uploads/describe-storage.ts';
export { listUploads } from './features/files/uploads/list-uploads.ts';
export { removeUpload } from './features/files/uploads/remove-upload.ts';
export type { ListedUpload } from './features/files/uploads/with-uploaders.ts';
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
