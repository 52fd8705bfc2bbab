import { RATE_LIMITS_PATHS } from '@hearth/protocol';
import type { Context } from '../../context.ts';
import type { FixedRoutes } from '../../http/fixed-routes.ts';
import { limitedJson } from '../../http/limited-route.ts';
import { listRateLimits } from './list-rate-limits.ts';

/** `GET /rate_limits` of the REST service. */
export function rateLimitRoutes(ctx: Context): FixedRoutes {
  const text = JSON.stringify(listRateLimits(ctx));
  const route = { GET: limitedJson(ctx, 'rate_limits', () => text) };
  return Object.fromEntries(RATE_LIMITS_PATHS.map((path) => [path, route]));
}
