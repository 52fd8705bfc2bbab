import {
  communityInviteListSchema,
  communityInviteSchema,
  invitationSchema,
  newCommunityInviteSchema,
  nothingSchema,
  ownCommunitySchema,
  reasonQuerySchema,
} from '@hearth/protocol/schemas';
import { z } from 'zod';
import { communityParams } from '../../../http/params.ts';
import { route } from '../../../http/route.ts';
import { createCommunityInvite } from './create-community-invite.ts';
import { findInvite } from './find-invite.ts';
import { listCommunityInvites } from './list-community-invites.ts';
import { revokeCommunityInvite } from './revoke-community-invite.ts';
import { useInvite } from './use-invite.ts';

const tag = 'invites';

const list = '/communities/:community_id/invites';

/** A code of base 58. */
const codeParams = z.object({ code: z.string().regex(/^[1-9A-HJ-NP-Za-km-z]{12}$/) });

/** Routes of the REST service about invites to communities. */
export const communityInviteRoutes = [
  route({
    method: 'GET',
    path: list,
    name: 'listCommunityInvites',
    tag,
    summary: 'List the invites of a community that can be used, or those that you made',
    limit: 'list',
    auth: 'user',
    params: communityParams,
    answers: communityInviteListSchema,
    throws: ['ForbiddenError'],
    handle: listCommunityInvites,
  }),
  route({
    method: 'POST',
    path: list,
    name: 'createCommunityInvite',
    tag,
    summary: 'Make an invite to a community',
    limit: 'write',
    auth: 'user',
    params: communityParams,
    body: newCommunityInviteSchema,
    answers: communityInviteSchema,
    throws: ['ForbiddenError', 'ConflictError'],
    handle: createCommunityInvite,
  }),
  route({
    method: 'DELETE',
    path: `${list}/:code`,
    name: 'revokeCommunityInvite',
    tag,
    summary: 'Revoke an invite to a community',
    limit: 'moderate',
    auth: 'user',
    params: communityParams.extend(codeParams.shape),
    query: reasonQuerySchema,
    answers: nothingSchema,
    throws: ['ForbiddenError'],
    handle: revokeCommunityInvite,
  }),
  route({
    method: 'GET',
    path: '/invites/:code',
    name: 'findInvite',
    tag,
    summary: 'Read what an invite is for',
    limit: 'read',
    auth: 'optional',
    params: codeParams,
    answers: invitationSchema,
    throws: ['ForbiddenError'],
    handle: findInvite,
  }),
  route({
    method: 'POST',
    path: '/invites/:code',
    name: 'useInvite',
    tag,
    summary: 'Join the community that an invite is for',
    limit: 'write',
    auth: 'user',
    params: codeParams,
    answers: ownCommunitySchema,
    throws: ['ForbiddenError', 'ConflictError'],
    handle: useInvite,
  }),
];
