import {
  channelChangeSchema,
  channelListSchema,
  channelOrderSchema,
  channelSchema,
  newChannelSchema,
  nothingSchema,
  overwriteChangeSchema,
} from '@hearth/protocol/schemas';
import { communityParams, idParams, overwriteParams } from '../../../http/params.ts';
import { route } from '../../../http/route.ts';
import { changeChannel, deleteChannel } from './change-channel.ts';
import { createChannel } from './create-channel.ts';
import { findChannel, listChannels } from './list-channels.ts';
import { orderChannels } from './order-channels.ts';
import { removeOverwrite, setOverwrite } from './set-overwrite.ts';

const tag = 'channels';
const inCommunity = '/communities/:community_id/channels';

const reading = { method: 'GET', tag, auth: 'optional', throws: ['ForbiddenError'] } as const;
const writing = { tag, limit: 'write', auth: 'user' } as const;

const ofCommunity = [
  route({
    ...reading,
    path: inCommunity,
    name: 'listChannels',
    summary: 'List the channels and categories of a community that you see',
    limit: 'list',
    params: communityParams,
    answers: channelListSchema,
    handle: listChannels,
  }),
  route({
    ...writing,
    method: 'POST',
    path: inCommunity,
    name: 'createChannel',
    summary: 'Add a channel or category',
    params: communityParams,
    body: newChannelSchema,
    answers: channelSchema,
    throws: ['ForbiddenError', 'ConflictError'],
    handle: createChannel,
  }),
  route({
    ...writing,
    method: 'PUT',
    path: `${inCommunity}/order`,
    name: 'orderChannels',
    summary:
      'Order the channels and categories of a community, and move channels between categories',
    params: communityParams,
    body: channelOrderSchema,
    answers: channelListSchema,
    throws: ['ForbiddenError'],
    handle: orderChannels,
  }),
];

/** Routes of the REST service about the channels of communities. */
export const channelRoutes = [
  ...ofCommunity,
  route({
    ...reading,
    path: '/channels/:id',
    name: 'findChannel',
    summary: 'Read a channel or category',
    limit: 'read',
    params: idParams,
    answers: channelSchema,
    handle: findChannel,
  }),
  route({
    ...writing,
    method: 'PATCH',
    path: '/channels/:id',
    name: 'changeChannel',
    summary: 'Change a channel or category',
    params: idParams,
    body: channelChangeSchema,
    answers: channelSchema,
    throws: ['ForbiddenError'],
    handle: changeChannel,
  }),
  route({
    ...writing,
    method: 'DELETE',
    path: '/channels/:id',
    name: 'deleteChannel',
    summary: 'Remove a channel or category',
    params: idParams,
    answers: nothingSchema,
    throws: ['ForbiddenError'],
    handle: deleteChannel,
  }),
  route({
    ...writing,
    method: 'PUT',
    path: '/channels/:id/overwrites/:subject_id',
    name: 'setOverwrite',
    summary: 'Set what a role or member is allowed and denied in a channel or category',
    params: overwriteParams,
    body: overwriteChangeSchema,
    answers: channelSchema,
    throws: ['ForbiddenError', 'ConflictError'],
    handle: setOverwrite,
  }),
  route({
    ...writing,
    method: 'DELETE',
    path: '/channels/:id/overwrites/:subject_id',
    name: 'removeOverwrite',
    summary: 'Remove what a role or member is allowed and denied in a channel or category',
    params: overwriteParams,
    answers: channelSchema,
    throws: ['ForbiddenError'],
    handle: removeOverwrite,
  }),
];
