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
export { listJobs, removeJob, retryJob, type StoredJob } from './features/platform/jobs/jobs.ts';
export {
  findMessage,
  findMessageFiles,
  findMessages,
  listNewestMessages,
  removeMessage,
  removeMessages,
  type MessageFilter,
} from './features/talk/lobby/lobby.ts';
export {
  banAuthor,
  banClients,
  listBans,
  listRestrictions,
  newAccessCode,
  pause,
  resume,
  setAccessCode,
  setSlowMode,
  showAccessCode,
  unban,
  type Ban,
  type StoredRestrictions,
} from './features/accounts/moderation/moderation.ts';
export { parseClientRange } from './client-range.ts';
export {
  approveUser,
  createUser,
  deleteUser,
  disableUser,
  enableUser,
  endAnySession,
  endEverySession,
  endSessionsOfUser,
  listAllSessions,
  listUsers,
  makeStaff,
  resetUserPassword,
  showUser,
  type ManagedSession,
  type ManagedUser,
  type PasswordOfUser,
  type ShownUser,
} from './features/accounts/manage-users/manage-users.ts';
export {
  blockRegistration,
  createInvite,
  listInvites,
  listRegistrationBlocks,
  parseBlockable,
  revokeInvite,
  unblockRegistration,
  type Invite,
  type RegistrationBlock,
} from './features/accounts/registration/registration.ts';
export type {
  ContentFault,
  MoveProgress,
  MoveReport,
  MovedContents,
  TableReport,
} from './features/operation/move-instance/move-instance.ts';
export { rebuildCounters } from './features/forum/counters/counters.ts';
export {
  progressText,
  rebuildSearch,
  showSearchProgress,
} from './features/search/search/search.ts';
export { rotateKeys } from './features/accounts/sessions/sessions.ts';
export {
  addStatic,
  listStatics,
  removeStatic,
  type StaticFile,
} from './features/files/statics/statics.ts';
export {
  describeStorage,
  listUploads,
  removeUpload,
  type ListedUpload,
} from './features/files/uploads/uploads.ts';
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
