import {
  banInputSchema,
  banListSchema,
  banSchema,
  nothingSchema,
  pageQuerySchema,
  reasonQuerySchema,
} from '@hearth/protocol/schemas';
import { ADDS_LINK, pagedAnswer } from '../../../http/paged-answer.ts';
import { communityParams, communityUserParams } from '../../../http/params.ts';
import { route } from '../../../http/route.ts';
import type { AccessContext } from '../structure/structure.ts';
import type { KeepsUsers } from '../../accounts/users/users.ts';
import { liftBan, setBan } from './set-ban.ts';
import { findBan, listBans } from './list-bans.ts';

const list = '/communities/:community_id/bans';
const one = `${list}/:user_id`;

const common = { tag: 'bans', auth: 'user', throws: ['ForbiddenError'] } as const;

/** Routes of the REST service about those who may not join a community. */
export const banRoutes = [
  route({
    ...common,
    method: 'GET',
    path: list,
    name: 'listBans',
    summary: 'List who is banned from a community, the newest ban first',
    limit: 'list',
    params: communityParams,
    query: pageQuerySchema,
    answers: banListSchema,
    addsHeaders: ADDS_LINK,
    async handle(ctx: AccessContext & KeepsUsers, actor, input) {
      return pagedAnswer(await listBans(ctx, actor, input), { limit: input.limit });
    },
  }),
  route({
    ...common,
    method: 'GET',
    path: one,
    name: 'findBan',
    summary: 'Read the ban of somebody',
    limit: 'read',
    params: communityUserParams,
    answers: banSchema,
    handle: findBan,
  }),
  route({
    ...common,
    method: 'PUT',
    path: one,
    name: 'setBan',
    summary: 'Ban somebody from a community, or change the ban',
    limit: 'moderate',
    params: communityUserParams,
    body: banInputSchema,
    answers: banSchema,
    handle: setBan,
  }),
  route({
    ...common,
    method: 'DELETE',
    path: one,
    name: 'liftBan',
    summary: 'End a ban',
    limit: 'moderate',
    params: communityUserParams,
    query: reasonQuerySchema,
    answers: nothingSchema,
    handle: liftBan,
  }),
];
