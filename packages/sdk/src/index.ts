export {
  ATTACHMENTS_BUCKET,
  AUTHOR_LENGTH,
  compareIds,
  countCodePoints,
  DEFAULT_MESSAGE_LIMIT,
  drawnEmoji,
  emojiIn,
  firstIdAt,
  HISTORY_PAGE,
  MOST_ATTACHMENTS,
  highlights,
  idParts,
  ID_EPOCH_SECONDS,
  MOST_NONCE_CHARACTERS,
  parseId,
  UNSAFE_CHARACTERS,
} from '@hearth/protocol';
export type {
  AccountExport,
  Capabilities,
  DisconnectReason,
  Feature,
  FileData,
  FileMetadata,
  FileRateLimit,
  Id,
  InstanceInfo,
  InstanceRateLimits,
  LobbyMessage,
  Message,
  OwnUser,
  Pauses,
  ProofChallenge,
  RateLimit,
  Reaction,
  Registration,
  SearchedContent,
  SearchedPlace,
  Session,
  SessionClient,
  SignedIn,
  StaffPermission,
  Term,
  TextRange,
  TotpSecret,
  User,
  UserSummary,
} from '@hearth/protocol';
export { withReaction, type Reactable, type ReactionChange } from './reaction-change.ts';
export type { ReactedQuery, ReactionTo } from './reactions.ts';
export { accessCodeOf, type AccessCodeOption } from './access-code.ts';
export { AccountClient } from './account-client.ts';
export type { ApiRequest, Method, PathParams } from './api.ts';
export { Client, type MessagesOptions } from './client.ts';
export { connect } from './connect.ts';
export { createClient } from './create-client.ts';
export { systemClock, type SdkClock } from './clock.ts';
export type {
  ConversationEvent,
  ConversationMessage,
  ListMessages,
  Place,
} from './conversation/conversation.ts';
export { ConversationFeed, type ConversationFeedOptions } from './conversation/feed.ts';
export * from './errors.ts';
export {
  FilesClient,
  type FetchOptions,
  type FileKey,
  type FileUrlOptions,
  type MediaOptions,
  type MediaUrlOptions,
  type UploadOptions,
} from './files.ts';
export { GatewayClient } from './gateway/gateway.ts';
export type { WebSocketConstructor, WebSocketLike } from './gateway/web-socket.ts';
export { Limits } from './limits/limits.ts';
export { newNonce } from './lobby/nonce.ts';
export { mentionPattern, mentionsName } from './mentions.ts';
export type { MessageQuery } from './messages.ts';
export { mediaSizeFor, shownSize } from './pictures.ts';
export {
  hideSpoilers,
  plainTextOf,
  quoteOf,
  readQuote,
  replyTo,
  type Quotable,
  type Quote,
} from './quote.ts';
export { RestClient } from './rest.ts';
export type { SearchPage, SearchQuery } from './search.ts';
export { identityOf, SessionsClient, type Credential } from './sessions.ts';
export { memoryTokens, type MemoryTokens, type TokenStorage } from './tokens.ts';
export { TotpClient } from './totp.ts';
export type * from './types.ts';
export { fetchUpload } from './uploads/fetch-upload.ts';
export type {
  UploadAnswer,
  UploadProgress,
  UploadRequest,
  UploadTransport,
} from './uploads/transport.ts';
export type { Deletion, OwnUserPatch, Registered } from './users.ts';
export { possibleUrls } from './urls.ts';
export { xhrUpload } from './uploads/xhr-upload.ts';
