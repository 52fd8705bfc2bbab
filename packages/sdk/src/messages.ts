import { HISTORY_PAGE, type Id, type LobbyMessage, type Message } from '@hearth/protocol';
import { receivedMessage, receivedMessageList } from '@hearth/protocol/received';
import type { Api } from './api.ts';
import type { OutgoingMessage, RequestOptions } from './types.ts';

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

/** Posts a message to the lobby; returns it as posted. */
export function createMessage(
  api: Api,
  body: OutgoingMessage,
  { signal }: RequestOptions = {},
): Promise<Message> {
  return api.request({
    method: 'POST',
    path: '/messages',
    limit: 'message_create',
    body,
    answers: receivedMessage,
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
