export { OWNER } from './actor.ts';
export { isEverywhere } from './config/component-addresses.ts';
export type { WebClient } from './components/web/start-web.ts';
export { ConfigError, loadConfig } from './config/load-config.ts';
export type { Config } from './config/config.ts';
export { COMPONENT_NAMES } from './config/engine-types.ts';
export { environmentHelp } from './config/example-files.ts';
export { likelyWord } from './config/nearest.ts';
export { failureReason } from './config/wording.ts';
export { errorCode, errorMessage } from './lib/error-code.ts';
export { findMessageFiles } from './features/lobby/find-message-files.ts';
export { findMessage } from './features/lobby/find-message.ts';
export { findMessages, type MessageFilter } from './features/lobby/find-messages.ts';
export { listNewestMessages } from './features/lobby/list-newest-messages.ts';
export type {
  ContentFault,
  MovedContents,
  TableReport,
  MoveProgress,
  MoveReport,
} from './features/move-instance/move.ts';
export { removeMessage } from './features/lobby/remove-message.ts';
export { removeMessages } from './features/lobby/remove-messages.ts';
export { addStatic } from './features/statics/add-static.ts';
export { listStatics } from './features/statics/list-statics.ts';
export { removeStatic } from './features/statics/remove-static.ts';
export type { StaticFile } from './features/statics/store.ts';
export { listUploads } from './features/uploads/list-uploads.ts';
export { removeUpload } from './features/uploads/remove-upload.ts';
export type { StoredUpload } from './features/uploads/store.ts';
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
export { StartError } from './lib/start-error.ts';
export { HEARTH_VERSION } from './lib/version.ts';
export { writeWhole } from './lib/write-whole.ts';
