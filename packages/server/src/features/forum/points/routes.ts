import { idSchema, pointRulesSchema, pointsSchema } from '@hearth/protocol/schemas';
import { z } from 'zod';
import { communityParams } from '../../../http/params.ts';
import { route } from '../../../http/route.ts';
import { findPointRules, findPoints } from './find-points.ts';

const tag = 'points';

/** Routes of the REST service about points. */
export const pointRoutes = [
  route({
    method: 'GET',
    path: '/users/:user_id/points',
    name: 'findPoints',
    tag,
    summary: 'Read the points of a person',
    limit: 'read',
    auth: 'optional',
    params: z.object({ user_id: idSchema }),
    answers: pointsSchema,
    throws: ['ForbiddenError'],
    handle: findPoints,
  }),
  route({
    method: 'GET',
    path: '/communities/:community_id/point-rules',
    name: 'findPointRules',
    tag,
    summary: 'Read by which rules points are earned in a community',
    limit: 'read',
    auth: 'optional',
    params: communityParams,
    answers: pointRulesSchema,
    throws: ['ForbiddenError'],
    handle: findPointRules,
  }),
];
