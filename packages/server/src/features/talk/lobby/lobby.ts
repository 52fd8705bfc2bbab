export { withPeople } from './complete-messages.ts';
export { findMessageFiles } from './find-message-files.ts';
export { findMessage } from './find-message.ts';
export { findMessages, type MessageFilter } from './find-messages.ts';
export { openHistory } from './history.ts';
export { listAround } from './list-around.ts';
export { listNewestMessages } from './list-newest-messages.ts';
export type { LobbyReading } from './lobby-reading.ts';
export type { StoredMessage as StoredLobbyMessage } from './message-groups.ts';
export type { KeepsHistory, Kept } from './message-history.ts';
export { isWithin } from './message-range.ts';
export { lobbyMessageOf, messageJournal } from './message-journal.ts';
export { removeMessage } from './remove-message.ts';
export { removeMessages } from './remove-messages.ts';
export { SharedHistory } from './shared-history.ts';
export {
  selectAll as selectLobbyRange,
  selectById as selectLobbyMessages,
  selectLast,
  selectOldestId,
} from './store.ts';
export { withFiles } from './with-files.ts';
export { withUsers } from './with-users.ts';
