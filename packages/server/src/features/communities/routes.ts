import {
  communitySchema,
  newCommunitySchema,
  ownCommunityListSchema,
  ownCommunitySchema,
} from '@hearth/protocol/schemas';
import { z } from 'zod';
import { idParams } from '../../http/params.ts';
import { route } from '../../http/route.ts';
import { createCommunity } from './create-community.ts';
import { findCommunity, findCommunityBySlug } from './find-community.ts';
import { listOwnCommunities, showOwnCommunity } from './list-own-communities.ts';

const tag = 'communities';

const reading = { method: 'GET', tag, limit: 'read', auth: 'optional' } as const;

/** Routes of the REST service about communities themselves. */
export const communityRoutes = [
  route({
    method: 'POST',
    path: '/communities',
    name: 'createCommunity',
    tag,
    summary: 'Make a community, which you own',
    limit: 'write',
    auth: 'user',
    body: newCommunitySchema,
    answers: ownCommunitySchema,
    throws: ['ForbiddenError', 'ConflictError'],
    handle: createCommunity,
  }),
  route({
    ...reading,
    path: '/communities/by-slug/:slug',
    name: 'findCommunityBySlug',
    summary: 'Find a community by its name in addresses',
    params: z.object({ slug: z.string() }),
    answers: communitySchema,
    throws: ['ForbiddenError'],
    handle: findCommunityBySlug,
  }),
  route({
    ...reading,
    path: '/communities/:id',
    name: 'findCommunity',
    summary: 'Read a community',
    params: idParams,
    answers: communitySchema,
    throws: ['ForbiddenError'],
    handle: findCommunity,
  }),
  route({
    method: 'GET',
    path: '/users/me/communities',
    name: 'listOwnCommunities',
    tag,
    summary: 'List the communities that you are a member of',
    limit: 'list',
    auth: 'user',
    answers: ownCommunityListSchema,
    throws: ['ForbiddenError'],
    handle: listOwnCommunities,
  }),
  route({
    method: 'GET',
    path: '/users/me/communities/:id',
    name: 'showOwnCommunity',
    tag,
    summary: 'Read a community that you are a member of, as you see it',
    limit: 'read',
    auth: 'user',
    params: idParams,
    answers: ownCommunitySchema,
    throws: ['ForbiddenError'],
    handle: showOwnCommunity,
  }),
];
