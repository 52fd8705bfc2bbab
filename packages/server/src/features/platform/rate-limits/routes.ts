import { RATE_LIMITS_PATHS } from '@hearth/protocol';
import { instanceRateLimitsSchema } from '@hearth/protocol/schemas';
import { route } from '../../../http/route.ts';
import { listRateLimits } from './list-rate-limits.ts';

/** `GET /rate_limits` of the REST service, and its older spelling. */
export const rateLimitRoutes = RATE_LIMITS_PATHS.map((path) =>
  route({
    method: 'GET',
    path,
    name: path === RATE_LIMITS_PATHS[0] ? 'listRateLimits' : 'listRateLimitsByOldName',
    tag: 'instance',
    summary: 'Read the limits in force',
    limit: 'rate_limits',
    auth: 'optional',
    answers: instanceRateLimitsSchema,
    isConstant: true,
    handle: listRateLimits,
  }),
);
