/** Lenient schemas for communities and their channels. Clients load them when they need them. */
import { z } from 'zod';
import { auditLogSchema } from './audit.ts';
import { banListSchema, banSchema } from './bans.ts';
import {
  channelMessageListSchema,
  channelMessageSchema,
  messageVersionListSchema,
  reachSchema,
} from './channel-messages.ts';
import { channelSchema } from './channels.ts';
import { communityInviteSchema, invitationSchema } from './community-invites.ts';
import { communitySchema, ownCommunitySchema } from './communities.ts';
import { CHANNEL_EVENTS, MESSAGE_EVENTS } from './events/channels.ts';
import { COMMUNITY_EVENTS } from './events/communities.ts';
import { postCreateSchema, postDeleteSchema, postUpdateSchema } from './events/posts.ts';
import { READING_EVENTS } from './events/reading.ts';
import { namedSchemas } from './events/streams.ts';
import { WATCHED_EVENTS } from './events/watched.ts';
import { joinRequestSchema } from './join-requests.ts';
import { lenient, lenientAll, listOf } from './lenient.ts';
import { memberSchema } from './members.ts';
import { notificationMarkSchema, notificationSchema } from './notifications.ts';
import { postSchema } from './posts.ts';
import { notificationSettingSchema, readStateSchema } from './read-states.ts';
import { FILES } from './received-messages.ts';
import { roleSchema } from './roles.ts';
import { userSummarySchema } from './user-summary.ts';

export const receivedRole = lenient(roleSchema);
export const receivedChannel = lenient(channelSchema);
export const receivedCommunity = lenient(communitySchema);
export const receivedOwnCommunity = lenient(ownCommunitySchema);
export const receivedMember = lenient(memberSchema);
export const receivedReadState = lenient(readStateSchema);
export const receivedNotificationSetting = lenient(notificationSettingSchema);
/** A message as its author is answered, with the nonce that it was posted with. */
export const receivedChannelMessage = lenient(channelMessageSchema, FILES).extend({
  nonce: z.string().exactOptional(),
});

/** Lists that are not read in pages: what cannot be understood in them is left out. */
export const receivedRoles = listOf(receivedRole);
export const receivedChannels = listOf(receivedChannel);
export const receivedCommunities = listOf(receivedCommunity);
export const receivedOwnCommunities = listOf(receivedOwnCommunity);
export const receivedMembers = listOf(receivedMember);
export const receivedReadStates = listOf(receivedReadState);
export const receivedCommunityInvite = lenient(communityInviteSchema);
export const receivedCommunityInvites = listOf(receivedCommunityInvite);
export const receivedJoinRequest = lenient(joinRequestSchema);
export const receivedJoinRequests = listOf(receivedJoinRequest);
export const receivedNotifications = listOf(lenient(notificationSchema));

/** Pages. */
export const receivedChannelMessages = lenient(channelMessageListSchema, FILES);
export const receivedMessageVersions = lenient(messageVersionListSchema);
export const receivedAuditLog = lenient(auditLogSchema);
export const receivedBan = lenient(banSchema);
export const receivedBans = lenient(banListSchema);

export const receivedReach = lenient(reachSchema);
export const receivedNotificationMark = lenient(notificationMarkSchema);
/** An instance of an earlier version knows only invites to communities, and none of them registers. */
export const receivedInvitation = lenient(invitationSchema).extend({
  kind: invitationSchema.shape.kind.default('community'),
  registers: z.boolean().default(false),
});

/** The part of READY about communities. */
export const receivedCommunityState = z.object({
  communities: receivedOwnCommunities.default([]).catch([]),
  read_states: receivedReadStates.default([]).catch([]),
  notification_settings: listOf(receivedNotificationSetting).default([]).catch([]),
});

/** The part of READY about communities. */
export type ReceivedCommunityState = z.infer<typeof receivedCommunityState>;

/** As much of a new post as decides what is unread. `received-posts.ts` reads all of it. */
const postNews = postSchema.pick({ channel_id: true, id: true }).extend({
  user: userSummarySchema.pick({ id: true }),
  mentions: listOf(userSummarySchema.pick({ id: true })).exactOptional(),
});

/** Events about communities, in streams of users, communities and channels. */
export const receivedCommunityEvent = z.discriminatedUnion(
  'op',
  namedSchemas([
    ...lenientAll([...COMMUNITY_EVENTS, ...READING_EVENTS]),
    ...lenientAll([...MESSAGE_EVENTS, ...CHANNEL_EVENTS], FILES),
    postCreateSchema.extend({ d: postNews }),
    postUpdateSchema.extend({ d: postNews.pick({ channel_id: true, id: true }) }),
    postDeleteSchema,
  ]),
);

/** An event about communities, in streams of users, communities and channels. */
export type ReceivedCommunityEvent = z.infer<typeof receivedCommunityEvent>;

/** Events that a client is sent of what it watches. */
export const receivedWatchedEvent = z.discriminatedUnion('op', lenientAll(WATCHED_EVENTS));

/** An event that a client is sent of what it watches. */
export type ReceivedWatchedEvent = z.infer<typeof receivedWatchedEvent>;
