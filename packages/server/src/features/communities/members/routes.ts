import {
  memberChangeSchema,
  memberListSchema,
  memberQuerySchema,
  memberSchema,
  nothingSchema,
  ownCommunitySchema,
  reasonQuerySchema,
} from '@hearth/protocol/schemas';
import { ADDS_LINK, pagedAnswer } from '../../../http/paged-answer.ts';
import { communityParams, communityUserParams } from '../../../http/params.ts';
import { route } from '../../../http/route.ts';
import type { AccessContext } from '../structure/structure.ts';
import type { KeepsUsers } from '../../accounts/users/users.ts';
import { changeMember } from './change-member.ts';
import { findMember, listMembers } from './list-members.ts';
import { joinCommunity } from './join-community.ts';
import { leaveCommunity, removeMember } from './leave-community.ts';

const tag = 'members';

const list = '/communities/:community_id/members';
const one = `${list}/:user_id`;

/** Routes of the REST service about the members of communities. */
export const memberRoutes = [
  route({
    method: 'GET',
    path: list,
    name: 'listMembers',
    tag,
    summary: 'List the members of a community, by the names that are shown',
    limit: 'list',
    auth: 'optional',
    params: communityParams,
    query: memberQuerySchema,
    answers: memberListSchema,
    throws: ['ForbiddenError'],
    addsHeaders: ADDS_LINK,
    async handle(ctx: AccessContext & KeepsUsers, actor, input) {
      const { q, limit } = input;
      return pagedAnswer(await listMembers(ctx, actor, input), { q, limit });
    },
  }),
  route({
    method: 'PUT',
    path: `${list}/me`,
    name: 'joinCommunity',
    tag,
    summary: 'Join a community that everyone may join',
    limit: 'write',
    auth: 'user',
    params: communityParams,
    answers: ownCommunitySchema,
    throws: ['ForbiddenError', 'ConflictError'],
    handle: joinCommunity,
  }),
  route({
    method: 'DELETE',
    path: `${list}/me`,
    name: 'leaveCommunity',
    tag,
    summary: 'Leave a community, unless you own it',
    limit: 'write',
    auth: 'user',
    params: communityParams,
    answers: nothingSchema,
    throws: ['ForbiddenError', 'ConflictError'],
    handle: leaveCommunity,
  }),
  route({
    method: 'GET',
    path: one,
    name: 'findMember',
    tag,
    summary: 'Read a member of a community',
    limit: 'read',
    auth: 'optional',
    params: communityUserParams,
    answers: memberSchema,
    throws: ['ForbiddenError'],
    handle: findMember,
  }),
  route({
    method: 'PATCH',
    path: one,
    name: 'changeMember',
    tag,
    summary: 'Change the nickname, the roles or the time-out of a member',
    limit: 'moderate',
    auth: 'user',
    params: communityUserParams,
    body: memberChangeSchema,
    answers: memberSchema,
    throws: ['ForbiddenError'],
    handle: changeMember,
  }),
  route({
    method: 'DELETE',
    path: one,
    name: 'removeMember',
    tag,
    summary: 'Remove a member, who may join again',
    limit: 'moderate',
    auth: 'user',
    params: communityUserParams,
    query: reasonQuerySchema,
    answers: nothingSchema,
    throws: ['ForbiddenError'],
    handle: removeMember,
  }),
];
