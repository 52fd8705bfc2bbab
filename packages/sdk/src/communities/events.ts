import type {
  ChannelMessage,
  Id,
  Member,
  Notification,
  NotificationMark,
  NotificationSetting,
  Presence,
  User,
  UserSummary,
} from '@hearth/protocol';
import type { ReceivedWatchedEvent } from '@hearth/protocol/received-communities';
import type { MyChannel, MyCommunity } from './my-community.ts';

/** Why a community is no longer one of the person's own; undefined if that is not known. */
export type LeaveReason = 'left' | 'kicked' | 'banned' | 'deleted' | 'signed_out' | undefined;

/** The point up to which somebody has read a channel. */
export interface ReadMark {
  readonly channel_id: Id;
  /** Undefined if nothing was read; it may name a message that was deleted. */
  readonly last_read_id: Id | undefined;
  /** True if the channel has newer messages of others. */
  readonly isUnread: boolean;
  /** The number of these that mention the person, at most `MOST_COUNTED_MENTIONS`. */
  readonly mentions: number;
}

/** A message of any channel of the person's communities, as it is posted. */
export interface PostedMessage {
  readonly community_id: Id | undefined;
  readonly message: ChannelMessage;
  /** True if it mentions the person: by name, by a role, or everyone. */
  readonly isMention: boolean;
  readonly isOwn: boolean;
}

/** The events that a client reports about communities. They are reported on gateways of profile 2 only. */
export interface CommunityEvents {
  /** A community of the person was added, or has changed: also its roles, the membership and the permissions. */
  community: MyCommunity;
  /** Reported once more if the reason was not known at first. */
  communityRemoved: { readonly id: Id; readonly reason: LeaveReason };
  /** A channel that the person sees was added, or has changed. */
  channel: MyChannel;
  channelRemoved: { readonly id: Id; readonly community_id: Id };
  /** A message was posted in any channel of the person's communities. */
  channelMessage: PostedMessage;
  /** The read state of a channel has changed, on any device, or a message was posted. */
  readState: ReadMark;
  notificationSetting: NotificationSetting;
  /** Something concerns the person, such as a mention. `notifications.list()` has its words, as the person may see them. */
  notification: Notification;
  /** The person has read a notification by reading the post that it is about, on any device. */
  notificationUpdate: Notification;
  /** The person has read all notifications up to one, on any device. */
  notificationsRead: NotificationMark;
  /** The things that are watched from now on, and how they are at present. */
  watched: Extract<ReceivedWatchedEvent, { op: 'WATCHED' }>['d'];
  /** Somebody writes in a channel that is watched. */
  typing: { readonly channel_id: Id; readonly user: UserSummary };
  presence: Presence;
  /** A member of a community that is watched has joined or changed. */
  member: Member;
  /** Somebody is no longer a member of a community that is watched. */
  memberRemoved: { readonly community_id: Id; readonly user_id: Id };
  /** Another member of a watched community has changed what everyone sees of them; with `deleted`, their account has ended. */
  user: User;
}
