import { HISTORY_PAGE, type Id, type LobbyMessage, type Message } from '@hearth/protocol';
import { receivedLobbyMessage, receivedPost, receivedMessageList } from '@hearth/protocol/received';
import type { Api } from './api.ts';
import type { OutgoingMessage, RequestOptions, SendOptions } from './types.ts';

/**
 * Which part of the history: after, before or between ids, or around an id, with the message itself if it is still there;
 * at most `limit` messages (1 to 100, 50 by default).
 */
export interface MessageQuery {
  readonly before?: Id | undefined;
  readonly after?: Id | undefined;
  /** Without `before` and `after`. */
  readonly around?: Id | undefined;
  readonly limit?: number | undefined;
}

/** Posts a message to the lobby; returns it as posted, with its id if somebody is signed in. */
export function createMessage(
  api: Api,
  body: OutgoingMessage,
  { signal, longestBusyWaitMs }: SendOptions = {},
): Promise<Message & { readonly id?: Id }> {
  return api.request({
    method: 'POST',
    path: '/messages',
    limit: 'message_create',
    // With a token, the limit is that of channels too, for which slow mode of the lobby means nothing (MO10).
    lane: 'lobby',
    body,
    // The nonce creates one message (LA16).
    isRepeatable: body.nonce !== undefined && body.nonce !== '',
    answers: receivedPost,
    longestBusyWaitMs,
    signal,
  });
}

/** Changes the text of a message. */
export function changeMessage(
  api: Api,
  { id, content }: { readonly id: Id; readonly content: string },
  { signal }: RequestOptions = {},
): Promise<LobbyMessage> {
  return api.request({
    method: 'PATCH',
    path: '/messages/:id',
    params: { id },
    limit: 'write',
    body: { content },
    answers: receivedLobbyMessage,
    signal,
  });
}

/** Deletes a message; returns it. */
export function deleteMessage(
  api: Api,
  id: Id,
  { signal }: RequestOptions = {},
): Promise<LobbyMessage> {
  return api.request({
    method: 'DELETE',
    path: '/messages/:id',
    params: { id },
    limit: 'write',
    answers: receivedLobbyMessage,
    signal,
  });
}

/** Lists messages of the lobby's history, the newest first. */
export function listMessages(
  api: Api,
  { before, after, around, limit = HISTORY_PAGE.default }: MessageQuery = {},
  { signal }: RequestOptions = {},
): Promise<readonly LobbyMessage[]> {
  return api.request({
    method: 'GET',
    path: '/messages',
    limit: 'message_list',
    query: { before, after, around, limit },
    answers: receivedMessageList,
    signal,
  });
}
