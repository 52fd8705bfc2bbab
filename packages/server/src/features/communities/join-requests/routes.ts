import {
  joinRequestInputSchema,
  joinRequestListSchema,
  joinRequestSchema,
  memberSchema,
  nothingSchema,
  pageQuerySchema,
  reasonQuerySchema,
} from '@hearth/protocol/schemas';
import { ADDS_LINK, pagedAnswer } from '../../../http/paged-answer.ts';
import { communityParams, communityUserParams } from '../../../http/params.ts';
import { route } from '../../../http/route.ts';
import type { AccessContext } from '../structure/structure.ts';
import type { KeepsUsers } from '../../accounts/users/users.ts';
import { acceptRequest, refuseRequest } from './answer-request.ts';
import { askToJoin, findOwnRequest, withdrawRequest } from './ask-to-join.ts';
import { listRequests } from './list-requests.ts';

const list = '/communities/:community_id/join-requests';
const own = `${list}/me`;
const one = `${list}/:user_id`;

const common = { tag: 'join requests', auth: 'user' } as const;

/** Routes of the REST service about those who ask to become members of a community. */
export const joinRequestRoutes = [
  route({
    ...common,
    method: 'GET',
    path: list,
    name: 'listJoinRequests',
    summary: 'List who asks to join a community, the oldest request first',
    limit: 'list',
    params: communityParams,
    query: pageQuerySchema,
    answers: joinRequestListSchema,
    throws: ['ForbiddenError'],
    addsHeaders: ADDS_LINK,
    async handle(ctx: AccessContext & KeepsUsers, actor, input) {
      return pagedAnswer(await listRequests(ctx, actor, input), { limit: input.limit });
    },
  }),
  route({
    ...common,
    method: 'GET',
    path: own,
    name: 'findOwnJoinRequest',
    summary: 'Read your own request to join a community',
    limit: 'read',
    params: communityParams,
    answers: joinRequestSchema,
    throws: ['ForbiddenError'],
    handle: findOwnRequest,
  }),
  route({
    ...common,
    method: 'PUT',
    path: own,
    name: 'askToJoin',
    summary: 'Ask to join a community, or change what you say to its moderators',
    limit: 'write',
    params: communityParams,
    body: joinRequestInputSchema,
    answers: joinRequestSchema,
    throws: ['ForbiddenError', 'ConflictError'],
    handle: askToJoin,
  }),
  route({
    ...common,
    method: 'DELETE',
    path: own,
    name: 'withdrawJoinRequest',
    summary: 'Take back your request to join a community',
    limit: 'write',
    params: communityParams,
    answers: nothingSchema,
    throws: ['ForbiddenError'],
    handle: withdrawRequest,
  }),
  route({
    ...common,
    method: 'PUT',
    path: one,
    name: 'acceptJoinRequest',
    summary: 'Make somebody a member who asks to join',
    limit: 'moderate',
    params: communityUserParams,
    answers: memberSchema,
    throws: ['ForbiddenError', 'ConflictError'],
    handle: acceptRequest,
  }),
  route({
    ...common,
    method: 'DELETE',
    path: one,
    name: 'refuseJoinRequest',
    summary: 'Refuse somebody who asks to join',
    limit: 'moderate',
    params: communityUserParams,
    query: reasonQuerySchema,
    answers: nothingSchema,
    throws: ['ForbiddenError'],
    handle: refuseRequest,
  }),
];
