/**
 * Lenient schemas for communities and their channels: names of later versions are ignored, and so is an entry of a list that
 * cannot be understood. They are not part of the other lenient schemas, because clients load them when they need them.
 */
import { z } from 'zod';
import { auditEntrySchema } from './audit.ts';
import { banSchema } from './bans.ts';
import {
  attachedFileSchema,
  channelMessageSchema,
  messageVersionListSchema,
  reachSchema,
} from './channel-messages.ts';
import { channelSchema, overwriteSchema, ownChannelSchema } from './channels.ts';
import { communityInviteSchema, invitationSchema } from './community-invites.ts';
import { communitySchema, ownCommunitySchema, type OwnCommunity } from './communities.ts';
import {
  channelMessageDeleteSchema,
  channelReactionAddSchema,
  channelReactionRemoveSchema,
  messageDeleteManySchema,
  pinAddSchema,
  pinRemoveSchema,
} from './events/channels.ts';
import {
  channelDeleteSchema,
  communityDeleteSchema,
  memberLeaveSchema,
  roleDeleteSchema,
} from './events/communities.ts';
import { postDeleteSchema } from './events/posts.ts';
import {
  notificationCreateSchema,
  notificationReadSchema,
  notificationUpdateSchema,
  readUpdateManySchema,
} from './events/reading.ts';
import {
  presenceEventSchema,
  typingSchema,
  watchedMemberCreateSchema,
  watchedMemberDeleteSchema,
  watchedMemberUpdateSchema,
  watchedSchema,
  watchedUserUpdateSchema,
} from './events/watched.ts';
import { idSchema } from './id-schema.ts';
import { joinRequestSchema } from './join-requests.ts';
import { memberSchema } from './members.ts';
import { notificationMarkSchema, notificationSchema } from './notifications.ts';
import { PERMISSIONS, type Permission } from './permissions.ts';
import { notificationSettingSchema, readStateSchema } from './read-states.ts';
import { receivedFileData } from './received-messages.ts';
import { roleSchema } from './roles.ts';
import { userSummarySchema } from './user-summary.ts';

const receivedPermissions = z.array(z.string()).transform((names) => names.filter(isPermission));

/** A role. */
export const receivedRole = roleSchema.extend({ permissions: receivedPermissions });

/** A channel or category. */
export const receivedChannel = channelSchema.extend({
  overwrites: listOf(
    overwriteSchema.extend({ allow: receivedPermissions, deny: receivedPermissions }),
  ).exactOptional(),
});

/** A community, as everyone sees it. */
export const receivedCommunity = communitySchema;

/** A community of the client's user. */
export const receivedOwnCommunity: z.ZodType<OwnCommunity> = ownCommunitySchema.extend({
  permissions: receivedPermissions,
  roles: listOf(receivedRole),
  channels: listOf(ownChannelSchema.extend({ permissions: receivedPermissions.exactOptional() })),
});

/** A member of a community. */
export const receivedMember = memberSchema;

/** How far the client's user has read a channel. */
export const receivedReadState = readStateSchema;

/** Of what a community or channel notifies the client's user. */
export const receivedNotificationSetting = notificationSettingSchema;

/** A message of a channel. What it says about files is ignored if it cannot be understood. */
export const receivedChannelMessage = channelMessageSchema.extend({
  attachments: listOf(
    z.intersection(receivedFileData, attachedFileSchema.pick({ alt: true })),
  ).exactOptional(),
  nonce: z.string().exactOptional(),
});

/** As much of a new post as decides what is unread. `received-posts.ts` reads all of it. */
const postNews = z.object({
  channel_id: idSchema,
  id: idSchema,
  user: userSummarySchema.pick({ id: true }),
  mentions: listOf(userSummarySchema.pick({ id: true })).exactOptional(),
});

/** Lists of all these. */
export const receivedRoles = listOf(receivedRole);
export const receivedChannels = listOf(receivedChannel);
export const receivedCommunities = listOf(receivedCommunity);
export const receivedOwnCommunities = listOf(receivedOwnCommunity);
export const receivedMembers = listOf(receivedMember);
/** No entry is left out, because a page that is not full is the last one. */
export const receivedChannelMessages = z.array(receivedChannelMessage);
export const receivedMessageVersions = messageVersionListSchema;
export const receivedReach = reachSchema;
export const receivedReadStates = listOf(receivedReadState);
export const receivedAuditLog = z.array(auditEntrySchema);
export const receivedBan = banSchema;
export const receivedBans = z.array(banSchema);
export const receivedCommunityInvite = communityInviteSchema;
export const receivedCommunityInvites = listOf(communityInviteSchema);
/** An instance of an earlier version does not say whether an invite registers, because none does. */
export const receivedInvitation = invitationSchema.extend({
  registers: z.boolean().default(false),
});
export const receivedJoinRequest = joinRequestSchema;
export const receivedJoinRequests = z.array(joinRequestSchema);
export const receivedNotifications = listOf(notificationSchema);
export const receivedNotificationMark = notificationMarkSchema;

/** What READY says about communities. */
export const receivedCommunityState = z.object({
  communities: receivedOwnCommunities.default([]).catch([]),
  read_states: listOf(receivedReadState).default([]).catch([]),
  notification_settings: listOf(receivedNotificationSetting).default([]).catch([]),
});

/** What READY says about communities. */
export type ReceivedCommunityState = z.infer<typeof receivedCommunityState>;

/** What streams of users, communities and channels have about communities. */
export const receivedCommunityEvent = z.discriminatedUnion('op', [
  event('COMMUNITY_CREATE', receivedOwnCommunity),
  event('COMMUNITY_UPDATE', receivedCommunity),
  event('COMMUNITY_DELETE', communityDeleteSchema.shape.d),
  event('ROLE_CREATE', receivedRole),
  event('ROLE_UPDATE', receivedRole),
  event('ROLE_DELETE', roleDeleteSchema.shape.d),
  event('CHANNEL_CREATE', receivedChannel),
  event('CHANNEL_UPDATE', receivedChannel),
  event('CHANNEL_DELETE', channelDeleteSchema.shape.d),
  event('MEMBER_UPDATE', receivedMember),
  event('MEMBER_LEAVE', memberLeaveSchema.shape.d),
  event('READ_UPDATE', receivedReadState),
  event('READ_UPDATE_MANY', readUpdateManySchema.shape.d),
  event('NOTIFICATION_SETTING_UPDATE', receivedNotificationSetting),
  event('NOTIFICATION_CREATE', notificationCreateSchema.shape.d),
  event('NOTIFICATION_READ', notificationReadSchema.shape.d),
  event('NOTIFICATION_UPDATE', notificationUpdateSchema.shape.d),
  event('MESSAGE_CREATE', receivedChannelMessage),
  event('MESSAGE_UPDATE', receivedChannelMessage),
  event('MESSAGE_DELETE', channelMessageDeleteSchema.shape.d),
  event('MESSAGE_DELETE_MANY', messageDeleteManySchema.shape.d),
  event('REACTION_ADD', channelReactionAddSchema.shape.d),
  event('REACTION_REMOVE', channelReactionRemoveSchema.shape.d),
  event('POST_CREATE', postNews),
  event('POST_UPDATE', postNews.pick({ channel_id: true, id: true })),
  event('POST_DELETE', postDeleteSchema.shape.d),
  event('PIN_ADD', pinAddSchema.shape.d),
  event('PIN_REMOVE', pinRemoveSchema.shape.d),
]);

/** What streams of users, communities and channels have about communities. */
export type ReceivedCommunityEvent = z.infer<typeof receivedCommunityEvent>;

/** What a client is sent of what it watches. */
export const receivedWatchedEvent = z.discriminatedUnion('op', [
  watchedSchema,
  typingSchema,
  presenceEventSchema,
  watchedMemberCreateSchema,
  watchedMemberUpdateSchema,
  watchedMemberDeleteSchema,
  watchedUserUpdateSchema,
]);

/** What a client is sent of what it watches. */
export type ReceivedWatchedEvent = z.infer<typeof receivedWatchedEvent>;

/** An event of a stream, with its position. */
function event<const Op extends string, Data extends z.ZodType>(op: Op, d: Data) {
  return z.object({ op: z.literal(op), t: z.string(), s: z.int().nonnegative(), d });
}

/** A list, without the entries that cannot be understood. */
function listOf<Entry extends z.ZodType>(entry: Entry) {
  return z.array(z.unknown()).transform((given) =>
    given.flatMap((each): z.infer<Entry>[] => {
      const { data, success } = entry.safeParse(each);
      return success ? [data] : [];
    }),
  );
}

function isPermission(name: string): name is Permission {
  return Object.hasOwn(PERMISSIONS, name);
}
