import type { ChannelMessage, Id, MessageVersion, Reaction, UserSummary } from '@hearth/protocol';
import { receivedNothing, receivedPeople, receivedReaction } from '@hearth/protocol/received';
import {
  receivedChannelMessage,
  receivedChannelMessages,
  receivedMessageVersions,
  receivedReach,
} from '@hearth/protocol/received-communities';
import type { Api } from '../api.ts';
import type { MessageQuery } from '../messages.ts';
import type { RequestOptions, SendOptions } from '../types.ts';
import type { ChannelMessageReceived } from './channel-feed.ts';

/** A message and its channel. */
export interface MessageOf {
  readonly channel_id: Id;
  readonly id: Id;
}

/** A message to post in a channel: with text, files, or both. */
export interface NewChannelMessage {
  readonly content?: string | undefined;
  /** The message that it replies to. */
  readonly reply_to?: Id | undefined;
  /** Files that the person has uploaded, each at most once. */
  readonly attachments?:
    | readonly { readonly id: Id; readonly alt?: string | undefined }[]
    | undefined;
  /** Comes back with the message; without one, the client makes one. */
  readonly nonce?: string | undefined;
}

/** Lists messages of a channel, the newest first. */
export function listChannelMessages(
  api: Api,
  { channel_id, ...query }: MessageQuery & { readonly channel_id: Id },
  { signal }: RequestOptions = {},
): Promise<readonly ChannelMessage[]> {
  return api.request({
    method: 'GET',
    path: '/channels/:channel_id/messages',
    params: { channel_id },
    limit: 'list',
    query,
    answers: receivedChannelMessages,
    signal,
  });
}

/** One message of a channel. */
export function readChannelMessage(
  api: Api,
  { channel_id, id }: MessageOf,
  { signal }: RequestOptions = {},
): Promise<ChannelMessage> {
  return api.request({
    method: 'GET',
    path: '/channels/:channel_id/messages/:id',
    params: { channel_id, id },
    limit: 'read',
    answers: receivedChannelMessage,
    signal,
  });
}

/** Posts a message: once, however often it has to be sent until an answer comes. Throws RateLimitedError in slow mode. */
export function createChannelMessage(
  api: Api,
  { channel_id, ...body }: NewChannelMessage & { readonly channel_id: Id; readonly nonce: string },
  { signal, longestBusyWaitMs }: SendOptions = {},
): Promise<ChannelMessageReceived> {
  return api.request({
    method: 'POST',
    path: '/channels/:channel_id/messages',
    params: { channel_id },
    limit: 'message_send',
    isRepeatable: true,
    hasOwnPace: true,
    longestBusyWaitMs,
    body,
    answers: receivedChannelMessage,
    signal,
  });
}

/** Counts the people whom a text would mention besides its author, at most 1,000. */
export async function countReach(
  api: Api,
  { channel_id, content }: { readonly channel_id: Id; readonly content: string },
  { signal }: RequestOptions = {},
): Promise<number> {
  const { people } = await api.request({
    method: 'POST',
    path: '/channels/:channel_id/reach',
    params: { channel_id },
    limit: 'list',
    body: { content },
    answers: receivedReach,
    signal,
  });
  return people;
}

/** Changes the text of a message. */
export function changeChannelMessage(
  api: Api,
  { channel_id, id, content }: MessageOf & { readonly content: string },
  { signal }: RequestOptions = {},
): Promise<ChannelMessage> {
  return api.request({
    method: 'PATCH',
    path: '/channels/:channel_id/messages/:id',
    params: { channel_id, id },
    limit: 'write',
    body: { content },
    answers: receivedChannelMessage,
    signal,
  });
}

/** Deletes a message. */
export async function deleteChannelMessage(
  api: Api,
  { channel_id, id }: MessageOf,
  { signal }: RequestOptions = {},
): Promise<void> {
  await api.request({
    method: 'DELETE',
    path: '/channels/:channel_id/messages/:id',
    params: { channel_id, id },
    limit: 'write',
    answers: receivedNothing,
    signal,
  });
}

/** Deletes up to 100 messages. Ids that are not known are ignored. */
export async function deleteChannelMessages(
  api: Api,
  { channel_id, ids }: { readonly channel_id: Id; readonly ids: readonly Id[] },
  { signal }: RequestOptions = {},
): Promise<void> {
  await api.request({
    method: 'POST',
    path: '/channels/:channel_id/messages/delete-many',
    params: { channel_id },
    limit: 'moderate',
    body: { ids },
    answers: receivedNothing,
    signal,
  });
}

/** Lists the former contents of a message, the newest first; for moderators. */
export function listMessageVersions(
  api: Api,
  { channel_id, id, ...query }: MessageOf & { readonly before?: number; readonly limit?: number },
  { signal }: RequestOptions = {},
): Promise<readonly MessageVersion[]> {
  return api.request({
    method: 'GET',
    path: '/channels/:channel_id/messages/:id/versions',
    params: { channel_id, id },
    limit: 'list',
    query,
    answers: receivedMessageVersions,
    signal,
  });
}

/** Reacts to a message, or takes the reaction back. Returns what there is of that kind. */
export function setChannelReaction(
  api: Api,
  { channel_id, id, emoji, isSet }: MessageOf & { readonly emoji: string; readonly isSet: boolean },
  { signal }: RequestOptions = {},
): Promise<Reaction> {
  return api.request({
    method: isSet ? 'PUT' : 'DELETE',
    path: '/channels/:channel_id/messages/:id/reactions/:emoji',
    params: { channel_id, id, emoji },
    limit: 'react',
    answers: receivedReaction,
    signal,
  });
}

/** Lists who reacted to a message with an emoji, the newest account first. */
export function listChannelReacted(
  api: Api,
  { channel_id, id, emoji, ...query }: MessageOf & MessageQuery & { readonly emoji: string },
  { signal }: RequestOptions = {},
): Promise<readonly UserSummary[]> {
  return api.request({
    method: 'GET',
    path: '/channels/:channel_id/messages/:id/reactions/:emoji',
    params: { channel_id, id, emoji },
    limit: 'list',
    query,
    answers: receivedPeople,
    signal,
  });
}

/** The pinned messages of a channel, the one that was pinned last first. */
export function listPins(
  api: Api,
  channelId: Id,
  { signal }: RequestOptions = {},
): Promise<readonly ChannelMessage[]> {
  return api.request({
    method: 'GET',
    path: '/channels/:channel_id/pins',
    params: { channel_id: channelId },
    limit: 'list',
    answers: receivedChannelMessages,
    signal,
  });
}

/** Pins a message, or takes the pin away. */
export async function setPin(
  api: Api,
  { channel_id, id, isSet }: MessageOf & { readonly isSet: boolean },
  { signal }: RequestOptions = {},
): Promise<void> {
  await api.request({
    method: isSet ? 'PUT' : 'DELETE',
    path: '/channels/:channel_id/pins/:id',
    params: { channel_id, id },
    limit: 'write',
    answers: receivedNothing,
    signal,
  });
}
