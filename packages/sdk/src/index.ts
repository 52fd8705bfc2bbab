export {
  ATTACHMENTS_BUCKET,
  AUTHOR_LENGTH,
  compareIds,
  countCodePoints,
  DEFAULT_MESSAGE_LIMIT,
  drawnEmoji,
  drawsNothing,
  emojiIn,
  firstIdAt,
  HISTORY_PAGE,
  MOST_ATTACHMENTS,
  highlights,
  idParts,
  ID_EPOCH_SECONDS,
  MOST_NONCE_CHARACTERS,
  parseId,
  personName,
  UNSAFE_CHARACTERS,
} from '@hearth/protocol';
export type {
  AccountExport,
  AuditAction,
  AuditEntry,
  Ban,
  BanInput,
  Capabilities,
  Channel,
  ChannelChange,
  ChannelKind,
  ChannelMessage,
  ChannelOrder,
  Comment,
  CommentSort,
  Community,
  CommunityInvite,
  DisconnectReason,
  Feature,
  FileData,
  FileMetadata,
  FileRateLimit,
  Id,
  InstanceInfo,
  InstanceRateLimits,
  Invitation,
  JoinRequest,
  JoinRequestInput,
  LobbyMessage,
  Member,
  MemberChange,
  Membership,
  Message,
  MessageVersion,
  NewChannel,
  NewCommunity,
  NewCommunityInvite,
  NewPoll,
  NewPost,
  NewRole,
  Notification,
  NotificationChoice,
  NotificationLevel,
  NotificationSetting,
  OverwriteChange,
  OwnCommunity,
  OwnUser,
  Pauses,
  Permission,
  PointRules,
  Points,
  Poll,
  Post,
  PostChange,
  PostPeriod,
  PostSort,
  Presence,
  ProofChallenge,
  RateLimit,
  Reaction,
  ReadState,
  Registration,
  Role,
  RoleChange,
  SearchedContent,
  SearchedKinds,
  SearchedPlace,
  SearchFacets,
  Session,
  SessionClient,
  SignedIn,
  StaffPermission,
  Term,
  TextRange,
  TotpSecret,
  User,
  UserSummary,
  Vote,
  Voted,
} from '@hearth/protocol';
export { withReaction, type Reactable, type ReactionChange } from './reaction-change.ts';
export type { ReactedQuery, ReactionTo } from './reactions.ts';
export { accessCodeOf, type AccessCodeOption } from './access-code.ts';
export { AccountClient } from './account-client.ts';
export type { ApiRequest, Method, PathParams } from './api.ts';
export { Client } from './client.ts';
export { connect } from './connect.ts';
export { connectLight } from './connect-light.ts';
export { createClient } from './create-client.ts';
export { createLightClient } from './create-light-client.ts';
export type { ChannelClient } from './channels/channel-client.ts';
export type { ChannelEvents, IncomingChannelMessage } from './channels/channel-events.ts';
export type { ChannelMessageReceived } from './channels/channel-feed.ts';
export type { NewChannelMessage } from './channels/channel-messages.ts';
export type { AuditLogQuery } from './communities/audit-log.ts';
export type { ChannelsClient, OverwriteOf } from './communities/channels.ts';
export type { BansClient } from './communities/bans.ts';
export type {
  CommunityListQuery,
  CommunityPatch,
  CommunityRemoval,
  Successor,
} from './communities/change-communities.ts';
export type { CommunityInvitesClient, InviteOf } from './communities/invites.ts';
export type { JoinRequestsClient } from './communities/join-requests.ts';
export type { NotificationQuery, NotificationsClient } from './notifications.ts';
export type { CommunitiesClient, UnreadCommunity } from './communities/communities-client.ts';
export type * from './communities/events.ts';
export type { MemberOf, MemberQuery, MembersClient, Reason } from './communities/members.ts';
export type { MyChannel, MyCommunity } from './communities/my-community.ts';
export type { CommunityInput } from './communities/own-communities.ts';
export type { CommentDraft, CommentQuery, CommentsClient } from './posts/comments-client.ts';
export type * from './posts/events.ts';
export type { LivePost } from './posts/live-post.ts';
export type { PostPlace, PostQuery } from './posts/post-pages.ts';
export type { PostsClient } from './posts/posts-client.ts';
export type { VotesQuery } from './posts/votes-page.ts';
export type { ReceivedComment, ReceivedPost } from '@hearth/protocol/received-posts';
export type { RoleOf, RolesClient } from './communities/roles.ts';
export type { Watched } from './communities/watcher.ts';
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
export type { MessageStream } from './message-stream.ts';
export type { MessageQuery } from './messages.ts';
export type { Page, PageQuery } from './pages.ts';
export { mediaSizeFor, shownSize } from './pictures.ts';
export { plainTextOf, quoteOf, readQuote, replyTo, type Quotable, type Quote } from './quote.ts';
export { RestClient } from './rest.ts';
export type { ChannelSearchPage, ChannelSearchQuery } from './channels/search-channels.ts';
export type { FoundPage } from './find-page.ts';
export type { CountedSearch, PostSearch, WholeSearch } from './posts/search-posts.ts';
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
