import type { Id, NotificationChoice, NotificationSetting, ReadState } from '@hearth/protocol';
import {
  receivedNotificationSetting,
  receivedReadState,
  receivedReadStates,
} from '@hearth/protocol/received-communities';
import { receivedNothing } from '@hearth/protocol/received';
import type { Api } from '../api.ts';
import type { RequestOptions } from '../types.ts';

/** Sets how far the person who is signed in has read a channel. */
export function markChannel(
  api: Api,
  { channel_id, ...body }: ReadMarkOf,
  { signal }: RequestOptions = {},
): Promise<ReadState> {
  return api.request({
    method: 'PUT',
    path: '/channels/:channel_id/read',
    params: { channel_id },
    limit: 'write',
    body,
    isRepeatable: true,
    outlivesPage: true,
    answers: receivedReadState,
    signal,
  });
}

/** The point up to which somebody has read a channel; with `unread`, also if that goes back. */
export interface ReadMarkOf {
  readonly channel_id: Id;
  readonly last_read_id: Id;
  readonly unread?: true | undefined;
}

/** Marks a whole community as read. Returns what has changed. */
export function markCommunity(
  api: Api,
  id: Id,
  { signal }: RequestOptions = {},
): Promise<readonly ReadState[]> {
  return api.request({
    method: 'PUT',
    path: '/communities/:id/read',
    params: { id },
    limit: 'write',
    answers: receivedReadStates,
    signal,
  });
}

/** Lists how far the person who is signed in has read the channels that they have opened. */
export function listReadStates(
  api: Api,
  { signal }: RequestOptions = {},
): Promise<readonly ReadState[]> {
  return api.request({
    method: 'GET',
    path: '/users/me/read-states',
    limit: 'list',
    answers: receivedReadStates,
    signal,
  });
}

/** Chooses of what a community or a channel notifies the person who is signed in. */
export function setNotifications(
  api: Api,
  { kind, id, ...body }: NotificationChoice & NotifyingPlace,
  { signal }: RequestOptions = {},
): Promise<NotificationSetting> {
  return api.request({
    method: 'PUT',
    path: '/:kind/:id/notifications',
    params: { kind, id },
    limit: 'write',
    body,
    answers: receivedNotificationSetting,
    signal,
  });
}

/** A community or a channel. */
export interface NotifyingPlace {
  readonly kind: 'communities' | 'channels';
  readonly id: Id;
}

/** Shows those who watch a channel that the person who is signed in writes there. */
export async function sendTyping(
  api: Api,
  channelId: Id,
  { signal }: RequestOptions = {},
): Promise<void> {
  await api.request({
    method: 'POST',
    path: '/channels/:channel_id/typing',
    params: { channel_id: channelId },
    limit: 'write',
    answers: receivedNothing,
    signal,
  });
}
