import {
  communityChangeSchema,
  communityListSchema,
  communityQuerySchema,
  communityRemovalSchema,
  communitySchema,
  newCommunitySchema,
  nothingSchema,
  ownerChangeSchema,
  ownCommunityListSchema,
  ownCommunitySchema,
} from '@hearth/protocol/schemas';
import { z } from 'zod';
import type { Context } from '../../../context.ts';
import { ADDS_LINK, pagedAnswer } from '../../../http/paged-answer.ts';
import { idParams } from '../../../http/params.ts';
import { route } from '../../../http/route.ts';
import { changeCommunity } from './change-community.ts';
import { changeOwner } from './change-owner.ts';
import { createCommunity } from './create-community.ts';
import { deleteCommunity, restoreCommunity } from './delete-community.ts';
import { findCommunity, findCommunityBySlug } from './find-community.ts';
import { listCommunities } from './list-communities.ts';
import { listOwnCommunities, showOwnCommunity } from './list-own-communities.ts';

const tag = 'communities';

const owning = { tag, limit: 'write', auth: 'user', params: idParams } as const;
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
    path: '/communities',
    name: 'listCommunities',
    summary: 'List public communities, or your own',
    limit: 'list',
    query: communityQuerySchema,
    answers: communityListSchema,
    throws: ['ForbiddenError'],
    addsHeaders: ADDS_LINK,
    async handle(ctx: Context, actor, input) {
      const { cursor: _cursor, ...query } = input;
      return pagedAnswer(await listCommunities(ctx, actor, input), query);
    },
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
    method: 'PATCH',
    path: '/communities/:id',
    name: 'changeCommunity',
    tag,
    summary: 'Change what a community says of itself, who finds it and who may join it',
    limit: 'write',
    auth: 'user',
    params: idParams,
    body: communityChangeSchema,
    answers: communitySchema,
    throws: ['ForbiddenError', 'ConflictError'],
    handle: changeCommunity,
  }),
  route({
    ...owning,
    method: 'DELETE',
    path: '/communities/:id',
    name: 'deleteCommunity',
    summary: 'Delete a community that you own, which you can restore within a week',
    body: communityRemovalSchema,
    answers: nothingSchema,
    throws: ['ForbiddenError'],
    handle: deleteCommunity,
  }),
  route({
    ...owning,
    method: 'POST',
    path: '/communities/:id/restore',
    name: 'restoreCommunity',
    summary: 'Restore a community that you have deleted',
    answers: ownCommunitySchema,
    throws: ['ForbiddenError', 'ConflictError'],
    handle: restoreCommunity,
  }),
  route({
    ...owning,
    method: 'PUT',
    path: '/communities/:id/owner',
    name: 'changeOwner',
    summary: 'Hand a community that you own over to another member',
    body: ownerChangeSchema,
    answers: communitySchema,
    throws: ['ForbiddenError'],
    handle: changeOwner,
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
