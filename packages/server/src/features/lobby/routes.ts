import { maxMessageBytes } from '@hearth/protocol';
import {
  messageListSchema,
  messageQuerySchema,
  messageSchema,
  postedMessageSchema,
} from '@hearth/protocol/schemas';
import type { InstanceSettings } from '../../config/config.ts';
import { route } from '../../http/route.ts';
import { createMessage } from './create-message.ts';
import { listMessages } from './list-messages.ts';

/** `POST /messages` of the REST service, and `GET /messages`, the history of the lobby. */
export const lobbyRoutes = ({ rest: { messageLimit } }: InstanceSettings) => [
  route({
    method: 'POST',
    path: '/messages',
    name: 'createMessage',
    tag: 'messages',
    summary: 'Post a message to the lobby',
    limit: 'message_create',
    auth: 'optional',
    body: postedMessageSchema(messageLimit),
    maxBodyBytes: maxMessageBytes(messageLimit),
    answers: messageSchema(messageLimit),
    throws: ['ForbiddenError'],
    handle: createMessage,
  }),
  route({
    method: 'GET',
    path: '/messages',
    name: 'listMessages',
    tag: 'messages',
    summary: 'List messages of the lobby, the newest first',
    limit: 'message_list',
    auth: 'optional',
    query: messageQuerySchema,
    answers: messageListSchema,
    throws: ['ForbiddenError'],
    handle: listMessages,
  }),
];
