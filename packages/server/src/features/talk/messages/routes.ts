import { maxMessageBytes } from '@hearth/protocol';
import {
  channelMessageChangeSchema,
  channelMessageListSchema,
  channelMessageSchema,
  idSchema,
  messageIdsSchema,
  messageQuerySchema,
  messageVersionListSchema,
  newChannelMessageSchema,
  nothingSchema,
  reachInputSchema,
  reachSchema,
  reactedQuerySchema,
  reactionSchema,
  userSummaryListSchema,
  versionQuerySchema,
} from '@hearth/protocol/schemas';
import { z } from 'zod';
import type { InstanceSettings } from '../../../config/config.ts';
import { channelParams } from '../../../http/params.ts';
import { route } from '../../../http/route.ts';
import { changeChannelMessage } from './change-message.ts';
import { countReach } from './count-reach.ts';
import { deleteChannelMessage } from './delete-message.ts';
import { deleteManyMessages } from './delete-messages.ts';
import { findChannelMessage, listChannelMessages } from './list-messages.ts';
import { listMessageVersions } from './list-versions.ts';
import { listPins, pinMessage, unpinMessage } from './pins.ts';
import { addChannelReaction, listChannelReacted, removeChannelReaction } from './react.ts';
import { postMessage } from './post-message.ts';

const tag = 'channel messages';

const ofMessage = channelParams.extend({ id: idSchema });
const ofReaction = ofMessage.extend({ emoji: z.string() });

/** Routes of the REST service about the messages of channels. */
export const channelMessageRoutes = (settings: InstanceSettings) => [
  ...readingRoutes,
  ...writingRoutes(settings),
  ...moderatingRoutes,
  ...reactionRoutes,
  ...pinRoutes,
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
    answers: nothingSchema,
    throws: ['ForbiddenError', 'ValidationError'],
    handle: deleteChannelMessage,
  }),
  route({
    method: 'POST',
    path: '/channels/:channel_id/reach',
    name: 'countReach',
    tag,
    summary: 'Count how many people a text would mention',
    limit: 'list',
    auth: 'user',
    params: channelParams,
    body: reachInputSchema(messageLimit),
    maxBodyBytes: maxMessageBytes(messageLimit),
    answers: reachSchema,
    throws: ['ForbiddenError'],
    handle: countReach,
  }),
];

const moderatingRoutes = [
  route({
    method: 'POST',
    path: '/channels/:channel_id/messages/delete-many',
    name: 'deleteManyMessages',
    tag,
    summary: 'Delete messages of a channel; for moderators',
    limit: 'moderate',
    auth: 'user',
    params: channelParams,
    body: messageIdsSchema,
    answers: nothingSchema,
    throws: ['ForbiddenError'],
    handle: deleteManyMessages,
  }),
];

const reactionRoutes = [
  route({
    method: 'PUT',
    path: '/channels/:channel_id/messages/:id/reactions/:emoji',
    name: 'addChannelReaction',
    tag,
    summary: 'React to a message with one emoji',
    limit: 'react',
    auth: 'user',
    params: ofReaction,
    answers: reactionSchema,
    throws: ['ForbiddenError', 'ConflictError', 'ValidationError'],
    handle: addChannelReaction,
  }),
  route({
    method: 'DELETE',
    path: '/channels/:channel_id/messages/:id/reactions/:emoji',
    name: 'removeChannelReaction',
    tag,
    summary: 'Take back a reaction',
    limit: 'react',
    auth: 'user',
    params: ofReaction,
    answers: reactionSchema,
    throws: ['ForbiddenError', 'ValidationError'],
    handle: removeChannelReaction,
  }),
  route({
    method: 'GET',
    path: '/channels/:channel_id/messages/:id/reactions/:emoji',
    name: 'listChannelReacted',
    tag,
    summary: 'List who reacted to a message with an emoji, the newest account first',
    limit: 'list',
    auth: 'optional',
    params: ofReaction,
    query: reactedQuerySchema,
    answers: userSummaryListSchema,
    throws: ['ForbiddenError'],
    handle: listChannelReacted,
  }),
];

const pinRoutes = [
  route({
    method: 'GET',
    path: '/channels/:channel_id/pins',
    name: 'listPins',
    tag,
    summary: 'List the pinned messages of a channel, the one that was pinned last first',
    limit: 'list',
    auth: 'optional',
    params: channelParams,
    answers: channelMessageListSchema,
    throws: ['ForbiddenError', 'ValidationError'],
    handle: listPins,
  }),
  route({
    method: 'PUT',
    path: '/channels/:channel_id/pins/:id',
    name: 'pinMessage',
    tag,
    summary: 'Pin a message',
    limit: 'write',
    auth: 'user',
    params: ofMessage,
    answers: nothingSchema,
    throws: ['ForbiddenError', 'ConflictError', 'ValidationError'],
    handle: pinMessage,
  }),
  route({
    method: 'DELETE',
    path: '/channels/:channel_id/pins/:id',
    name: 'unpinMessage',
    tag,
    summary: 'Take a message from the pins',
    limit: 'write',
    auth: 'user',
    params: ofMessage,
    answers: nothingSchema,
    throws: ['ForbiddenError', 'ValidationError'],
    handle: unpinMessage,
  }),
];
