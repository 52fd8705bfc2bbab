import { z } from 'zod';
import { accountHelloSchema, rateLimitedSchema, resumedSchema } from './events/authentication.ts';
import { disconnectSchema, helloSchema, pongSchema } from './events/connection.ts';
import {
  channelMessageCreateSchema,
  channelMessageDeleteSchema,
  channelMessageUpdateSchema,
  channelReactionAddSchema,
  channelReactionRemoveSchema,
  messageDeleteManySchema,
  pinAddSchema,
  pinRemoveSchema,
} from './events/channels.ts';
import {
  channelCreateSchema,
  channelDeleteSchema,
  channelUpdateSchema,
  communityCreateSchema,
  communityDeleteSchema,
  communityUpdateSchema,
  memberLeaveSchema,
  memberUpdateSchema,
  roleCreateSchema,
  roleDeleteSchema,
  roleUpdateSchema,
} from './events/communities.ts';
import {
  lobbyMessageCreateSchema,
  lobbyMessageDeleteSchema,
  lobbyMessageUpdateSchema,
  lobbyReactionAddSchema,
  lobbyReactionRemoveSchema,
  messageCreateSchema,
} from './events/messages.ts';
import { joinRequestCreateSchema, joinRequestDeleteSchema } from './events/join-requests.ts';
import { onlineSchema } from './events/online.ts';
import {
  commentCreateSchema,
  commentDeleteSchema,
  commentUpdateSchema,
  postCreateSchema,
  postDeleteSchema,
  postUpdateSchema,
  scoreUpdateSchema,
} from './events/posts.ts';
import { pausesEventSchema } from './events/pauses.ts';
import {
  notificationCreateSchema,
  notificationReadSchema,
  notificationSettingUpdateSchema,
  notificationUpdateSchema,
  readUpdateManySchema,
  readUpdateSchema,
} from './events/reading.ts';
import { readySchema } from './events/ready.ts';
import { namedSchemas, streamCloseSchema, streamOpenSchema } from './events/streams.ts';
import { ownUserUpdateSchema, sessionEndSchema } from './events/users.ts';
import {
  presenceEventSchema,
  typingSchema,
  watchedMemberCreateSchema,
  watchedMemberDeleteSchema,
  watchedMemberUpdateSchema,
  watchedSchema,
  watchedUserUpdateSchema,
} from './events/watched.ts';

export * from './events/authentication.ts';
export * from './events/channels.ts';
export * from './events/communities.ts';
export * from './events/connection.ts';
export * from './events/join-requests.ts';
export * from './events/messages.ts';
export * from './events/online.ts';
export * from './events/pauses.ts';
export * from './events/positions.ts';
export * from './events/posts.ts';
export * from './events/reading.ts';
export * from './events/ready.ts';
export * from './events/streams.ts';
export * from './events/users.ts';
export * from './events/watched.ts';

/** Every event that the lobby's stream has, as gateways of profile 1 send it. */
const LOBBY_EVENTS = [
  lobbyMessageCreateSchema,
  lobbyMessageUpdateSchema,
  lobbyMessageDeleteSchema,
  lobbyReactionAddSchema,
  lobbyReactionRemoveSchema,
] as const;

/** Every event that the streams of users have. */
const USER_EVENTS = [
  ownUserUpdateSchema,
  sessionEndSchema,
  readUpdateSchema,
  readUpdateManySchema,
  notificationSettingUpdateSchema,
  notificationUpdateSchema,
  notificationCreateSchema,
  notificationReadSchema,
] as const;

/** Every event that the streams of communities have, and what users are sent of them in their own. */
const COMMUNITY_EVENTS = [
  communityCreateSchema,
  communityUpdateSchema,
  communityDeleteSchema,
  roleCreateSchema,
  roleUpdateSchema,
  roleDeleteSchema,
  channelCreateSchema,
  channelUpdateSchema,
  channelDeleteSchema,
  memberUpdateSchema,
  memberLeaveSchema,
] as const;

/** Every event that is for the moderators of a community. */
const MODERATOR_EVENTS = [joinRequestCreateSchema, joinRequestDeleteSchema] as const;

/** Every event of a channel that the lobby does not have. */
const CHANNEL_EVENTS = [
  messageDeleteManySchema,
  pinAddSchema,
  pinRemoveSchema,
  postCreateSchema,
  postUpdateSchema,
  postDeleteSchema,
] as const;

/** Every event that the lobby has in a shape of its own. */
const MESSAGE_EVENTS = [
  channelMessageCreateSchema,
  channelMessageUpdateSchema,
  channelMessageDeleteSchema,
  channelReactionAddSchema,
  channelReactionRemoveSchema,
] as const;

/** Everything the documented gateway sends. */
export const serverEventSchema = z.discriminatedUnion('op', [pongSchema, messageCreateSchema]);

/** Everything the documented gateway sends. */
export type ServerEvent = z.infer<typeof serverEventSchema>;

/** Everything a gateway of profile 1 sends. Ours. */
export const profileEventSchema = z.discriminatedUnion('op', [
  pongSchema,
  helloSchema,
  ...LOBBY_EVENTS,
  onlineSchema,
  pausesEventSchema,
  disconnectSchema,
]);

/** Everything a gateway of profile 1 sends. */
export type ProfileEvent = z.infer<typeof profileEventSchema>;

/** What a gateway sends about a stream to clients that follow it by name. Profile 2, ours. */
export const streamNoticeSchema = z.discriminatedUnion('op', [streamOpenSchema, streamCloseSchema]);

/** What a gateway says about a stream. */
export type StreamNotice = z.infer<typeof streamNoticeSchema>;

/** What clients receive of what they watch. It has no place in a stream. Profile 2, ours. */
export const watchedEventSchema = z.discriminatedUnion('op', [
  watchedSchema,
  typingSchema,
  presenceEventSchema,
  watchedMemberCreateSchema,
  watchedMemberUpdateSchema,
  watchedMemberDeleteSchema,
  watchedUserUpdateSchema,
  commentCreateSchema,
  commentUpdateSchema,
  commentDeleteSchema,
  scoreUpdateSchema,
]);

/** What clients receive of what they watch. */
export type WatchedEvent = z.infer<typeof watchedEventSchema>;

/** What a gateway of profile 2 sends, but for what has the same name elsewhere. */
const accountOnlySchema = z.discriminatedUnion('op', [
  pongSchema,
  accountHelloSchema,
  readySchema,
  resumedSchema,
  rateLimitedSchema,
  streamOpenSchema,
  streamCloseSchema,
  ...namedSchemas([
    ...MESSAGE_EVENTS,
    ...CHANNEL_EVENTS,
    ...USER_EVENTS,
    ...COMMUNITY_EVENTS,
    ...MODERATOR_EVENTS,
  ]),
  onlineSchema,
  pausesEventSchema,
  disconnectSchema,
]);

/** Everything a gateway of profile 2 sends: events of the lobby and of channels have the same names. Ours. */
export const accountEventSchema = z.union([
  accountOnlySchema,
  z.discriminatedUnion('op', namedSchemas(LOBBY_EVENTS)),
  watchedEventSchema,
]);

/** Everything a gateway of profile 2 sends. */
export type AccountEvent = z.infer<typeof accountEventSchema>;

/** Every event that a stream has, without its position there. */
export type StreamEvent = WithoutPosition<
  z.infer<
    | (typeof LOBBY_EVENTS)[number]
    | (typeof MESSAGE_EVENTS)[number]
    | (typeof CHANNEL_EVENTS)[number]
    | (typeof USER_EVENTS)[number]
    | (typeof COMMUNITY_EVENTS)[number]
    | (typeof MODERATOR_EVENTS)[number]
  >
>;

type WithoutPosition<Event> = Event extends unknown ? Omit<Event, 's'> : never;
