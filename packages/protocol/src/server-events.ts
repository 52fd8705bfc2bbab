import { z } from 'zod';
import { accountHelloSchema, rateLimitedSchema, resumedSchema } from './events/authentication.ts';
import { CHANNEL_EVENTS, MESSAGE_EVENTS } from './events/channels.ts';
import { COMMUNITY_EVENTS } from './events/communities.ts';
import { disconnectSchema, helloSchema, pongSchema } from './events/connection.ts';
import { MODERATOR_EVENTS } from './events/join-requests.ts';
import { LOBBY_MESSAGE_EVENTS, messageCreateSchema } from './events/messages.ts';
import { onlineSchema } from './events/online.ts';
import { pausesEventSchema } from './events/pauses.ts';
import { POST_EVENTS, WATCHED_POST_EVENTS } from './events/posts.ts';
import { READING_EVENTS } from './events/reading.ts';
import { readySchema } from './events/ready.ts';
import { namedSchemas, streamCloseSchema, streamOpenSchema } from './events/streams.ts';
import { OWN_USER_EVENTS } from './events/users.ts';
import { WATCHED_EVENTS } from './events/watched.ts';

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
  // Clients skip others until `received-events.ts` has them.
  ...LOBBY_MESSAGE_EVENTS,
] as const;

/** Every event of profile 2 that a stream has, but for those of the lobby. */
const STREAM_EVENTS = [
  ...MESSAGE_EVENTS,
  ...CHANNEL_EVENTS,
  ...POST_EVENTS,
  ...OWN_USER_EVENTS,
  ...READING_EVENTS,
  ...COMMUNITY_EVENTS,
  ...MODERATOR_EVENTS,
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

/** Notices of a gateway about a stream to clients that follow it by name. Profile 2, ours. */
export const streamNoticeSchema = z.discriminatedUnion('op', [streamOpenSchema, streamCloseSchema]);

/** A notice of a gateway about a stream. */
export type StreamNotice = z.infer<typeof streamNoticeSchema>;

/** Events of what clients watch. It has no place in a stream. Profile 2, ours. */
export const watchedEventSchema = z.discriminatedUnion('op', [
  ...WATCHED_EVENTS,
  ...WATCHED_POST_EVENTS,
]);

/** An event of what clients watch. */
export type WatchedEvent = z.infer<typeof watchedEventSchema>;

/** Payloads of a gateway of profile 2, but for those that have the same name elsewhere. */
const accountOnlySchema = z.discriminatedUnion('op', [
  pongSchema,
  accountHelloSchema,
  readySchema,
  resumedSchema,
  rateLimitedSchema,
  streamOpenSchema,
  streamCloseSchema,
  ...namedSchemas(STREAM_EVENTS),
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
  z.infer<(typeof LOBBY_EVENTS)[number] | (typeof STREAM_EVENTS)[number]>
>;

type WithoutPosition<Event> = Event extends unknown ? Omit<Event, 's'> : never;
