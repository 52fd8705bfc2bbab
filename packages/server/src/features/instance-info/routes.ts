import type { Context } from '../../context.ts';
import type { FixedRoutes } from '../../http/fixed-routes.ts';
import { limitedJson } from '../../http/limited-route.ts';
import { describeInstance } from './describe-instance.ts';

/** `GET /` of the REST service. */
export function instanceInfoRoutes(ctx: Context): FixedRoutes {
  const text = JSON.stringify(describeInstance(ctx));
  return { '/': { GET: limitedJson(ctx, 'info', () => text) } };
}
