import { maxMessageBytes } from '@hearth/protocol';
import {
  channelMessageChangeSchema,
  channelMessageListSchema,
  channelMessageSchema,
  idSchema,
  messageQuerySchema,
  messageVersionListSchema,
  newChannelMessageSchema,
  versionQuerySchema,
} from '@hearth/protocol/schemas';
import { z } from 'zod';
import type { InstanceSettings } from '../../config/config.ts';
import { channelParams } from '../../http/params.ts';
import { route } from '../../http/route.ts';
import { changeChannelMessage } from './change-message.ts';
import { deleteChannelMessage } from './delete-message.ts';
import { findChannelMessage, listChannelMessages } from './list-messages.ts';
import { listMessageVersions } from './list-versions.ts';
import { postMessage } from './post-message.ts';

const tag = 'channel messages';

const ofMessage = channelParams.extend({ id: idSchema });

/** Routes of the REST service about the messages of channels. */
export const channelMessageRoutes = (settings: InstanceSettings) => [
  ...readingRoutes,
  ...writingRoutes(settings),
];

const readingRoutes = [
  route({
    method: 'GET',
    path: '/channels/:channel_id/messages',
    name: 'listChannelMessages',
    tag,
    summary: 'List messages of a channel, the newest first',
    limit: 'list',
    auth: 'optional',
    params: channelParams,
    query: messageQuerySchema,
    answers: channelMessageListSchema,
    throws: ['ForbiddenError'],
    handle: listChannelMessages,
  }),
  route({
    method: 'GET',
    path: '/channels/:channel_id/messages/:id',
    name: 'findChannelMessage',
    tag,
    summary: 'Read a message of a channel',
    limit: 'read',
    auth: 'optional',
    params: ofMessage,
    answers: channelMessageSchema,
    throws: ['ForbiddenError'],
    handle: findChannelMessage,
  }),
  route({
    method: 'GET',
    path: '/channels/:channel_id/messages/:id/versions',
    name: 'listMessageVersions',
    tag,
    summary: 'List former contents of a message, the newest first; for moderators',
    limit: 'list',
    auth: 'user',
    params: ofMessage,
    query: versionQuerySchema,
    answers: messageVersionListSchema,
    throws: ['ForbiddenError', 'ValidationError'],
    handle: listMessageVersions,
  }),
];

const writingRoutes = ({ rest: { messageLimit } }: InstanceSettings) => [
  route({
    method: 'POST',
    path: '/channels/:channel_id/messages',
    name: 'postMessage',
    tag,
    summary: 'Post a message to a channel; the same nonce posts once in 10 minutes',
    limit: 'message_send',
    auth: 'user',
    params: channelParams,
    body: newChannelMessageSchema(messageLimit),
    maxBodyBytes: maxMessageBytes(messageLimit),
    answers: channelMessageSchema,
    throws: ['ForbiddenError', 'RateLimitedError'],
    handle: postMessage,
  }),
  route({
    method: 'PATCH',
    path: '/channels/:channel_id/messages/:id',
    name: 'changeChannelMessage',
    tag,
    summary: 'Change the text of a message that the caller posted',
    limit: 'write',
    auth: 'user',
    params: ofMessage,
    body: channelMessageChangeSchema(messageLimit),
    maxBodyBytes: maxMessageBytes(messageLimit),
    answers: channelMessageSchema,
    throws: ['ForbiddenError'],
    handle: changeChannelMessage,
  }),
  route({
    method: 'DELETE',
    path: '/channels/:channel_id/messages/:id',
    name: 'deleteChannelMessage',
    tag,
    summary: 'Delete a message that the caller posted; moderators may delete others',
    limit: 'write',
    auth: 'user',
    params: ofMessage,
    answers: z.object({}),
    throws: ['ForbiddenError', 'ValidationError'],
    handle: deleteChannelMessage,
  }),
];
