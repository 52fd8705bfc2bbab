import { maxMessageBytes } from '@hearth/protocol';
import {
  lobbyMessageSchema,
  messageChangeSchema,
  messageListSchema,
  messageQuerySchema,
  messageSchema,
  postedMessageSchema,
  reactedQuerySchema,
  reactionSchema,
  userMessageSchema,
  userSummaryListSchema,
} from '@hearth/protocol/schemas';
import { z } from 'zod';
import type { InstanceSettings } from '../../../config/config.ts';
import { idParams } from '../../../http/params.ts';
import { route } from '../../../http/route.ts';
import { changeMessage } from './changes/change-message.ts';
import { deleteMessage } from './changes/delete-message.ts';
import { addReaction, listReacted, removeReaction } from './changes/react.ts';
import { createMessage } from './create-message.ts';
import { listMessages } from './list-messages.ts';

const ofReaction = idParams.extend({ emoji: z.string() });

/** The lobby's routes of the REST service: messages, their history, their changes, and reactions to them. */
export const lobbyRoutes = (settings: InstanceSettings) => [
  ...messageRoutes(settings),
  ...changeRoutes(settings),
  ...reactionRoutes,
];

const messageRoutes = ({ rest: { messageLimit } }: InstanceSettings) => [
  route({
    method: 'POST',
    path: '/messages',
    name: 'createMessage',
    tag: 'messages',
    summary: 'Post a message to the lobby; with a token, the same nonce posts once in 10 minutes',
    limit: 'message_create',
    auth: 'optional',
    body: postedMessageSchema(messageLimit),
    bodyOfUser: userMessageSchema(messageLimit),
    maxBodyBytes: maxMessageBytes(messageLimit),
    answers: z.union([messageSchema(messageLimit), lobbyMessageSchema]),
    throws: ['ForbiddenError', 'NotFoundError'],
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

const changeRoutes = ({ rest: { messageLimit } }: InstanceSettings) => [
  route({
    method: 'PATCH',
    path: '/messages/:id',
    name: 'changeMessage',
    tag: 'messages',
    summary: 'Change the text of a message that the caller posted',
    limit: 'write',
    auth: 'user',
    params: idParams,
    body: messageChangeSchema(messageLimit),
    maxBodyBytes: maxMessageBytes(messageLimit),
    answers: lobbyMessageSchema,
    throws: ['ForbiddenError'],
    handle: changeMessage,
  }),
  route({
    method: 'DELETE',
    path: '/messages/:id',
    name: 'deleteMessage',
    tag: 'messages',
    summary: 'Delete a message that the caller posted; staff may delete others',
    limit: 'write',
    auth: 'user',
    params: idParams,
    answers: lobbyMessageSchema,
    throws: ['ForbiddenError'],
    handle: deleteMessage,
  }),
];

const reactionRoutes = [
  route({
    method: 'PUT',
    path: '/messages/:id/reactions/:emoji',
    name: 'addReaction',
    tag: 'messages',
    summary: 'React to a message with one emoji',
    limit: 'react',
    auth: 'user',
    params: ofReaction,
    answers: reactionSchema,
    throws: ['ForbiddenError', 'ConflictError', 'ValidationError'],
    handle: addReaction,
  }),
  route({
    method: 'DELETE',
    path: '/messages/:id/reactions/:emoji',
    name: 'removeReaction',
    tag: 'messages',
    summary: 'Take back a reaction',
    limit: 'react',
    auth: 'user',
    params: ofReaction,
    answers: reactionSchema,
    throws: ['ForbiddenError', 'ValidationError'],
    handle: removeReaction,
  }),
  route({
    method: 'GET',
    path: '/messages/:id/reactions/:emoji',
    name: 'listReacted',
    tag: 'messages',
    summary: 'List who reacted to a message with an emoji, the newest account first',
    limit: 'list',
    auth: 'optional',
    params: ofReaction,
    query: reactedQuerySchema,
    answers: userSummaryListSchema,
    throws: ['ForbiddenError'],
    handle: listReacted,
  }),
];
