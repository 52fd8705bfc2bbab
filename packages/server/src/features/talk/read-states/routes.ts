import { readMarkSchema, readStateListSchema, readStateSchema } from '@hearth/protocol/schemas';
import { channelParams, communityParams } from '../../../http/params.ts';
import { route } from '../../../http/route.ts';
import { listReadStates } from './find-read-states.ts';
import { markChannel } from './mark-channel.ts';
import { markCommunity } from './mark-community.ts';

const tag = 'reading';

const marking = {
  method: 'PUT',
  tag,
  limit: 'write',
  auth: 'user',
  throws: ['ForbiddenError'],
} as const;

/** Routes of the REST service about what people have read. */
export const readStateRoutes = [
  route({
    ...marking,
    path: '/channels/:channel_id/read',
    name: 'markChannel',
    summary: 'Mark a channel as read up to a message',
    params: channelParams,
    body: readMarkSchema,
    answers: readStateSchema,
    handle: markChannel,
  }),
  route({
    ...marking,
    path: '/communities/:community_id/read',
    name: 'markCommunity',
    summary: 'Mark all channels of a community as read',
    params: communityParams,
    answers: readStateListSchema,
    handle: markCommunity,
  }),
  route({
    method: 'GET',
    path: '/users/me/read-states',
    name: 'listReadStates',
    tag,
    summary: 'List how far you have read the channels that you have opened',
    limit: 'list',
    auth: 'user',
    answers: readStateListSchema,
    throws: ['ForbiddenError'],
    handle: listReadStates,
  }),
];
