import type { ChannelMessage, Id } from '@hearth/protocol';
import type { ReactionChange } from '../reaction-change.ts';
import type { Gap } from '../types.ts';
import type { ChannelMessageReceived } from './channel-feed.ts';

/** A message of a channel as a client delivers it. */
export type IncomingChannelMessage = ChannelMessageReceived & {
  /** True if the person who is signed in has posted it, on any device. */
  readonly isOwn: boolean;
};

/** The events of a channel. */
export interface ChannelEvents {
  message: IncomingChannelMessage;
  /** A message that came earlier has changed. */
  messageUpdate: ChannelMessage;
  messageDelete: { readonly id: Id };
  /** Somebody reacted to a message, or took a reaction back; `withReaction` applies it to the message. */
  reaction: ReactionChange;
  pin: { readonly id: Id; readonly isPinned: boolean };
  gap: Gap;
  /** The state of the channel: whether its messages come, and none so far is missing. */
  current: { readonly isCurrent: boolean };
  /** The channel can no longer be seen, or does not exist any more. If it comes back, its messages come again. */
  closed: { readonly id: Id };
}
