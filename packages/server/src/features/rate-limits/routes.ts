import { RATE_LIMITS_PATHS } from '@hearth/protocol';
import type { Context } from '../../context.ts';
import { createApp, resource, type HttpApp } from '../../http/app.ts';
import { limited } from '../../http/limited.ts';
import { json } from '../../http/respond.ts';
import { listRateLimits } from './list-rate-limits.ts';

/** `GET /rate_limits` of the REST service. */
export function rateLimitRoutes(ctx: Context): HttpApp {
  const app = createApp(ctx);
  const limits = listRateLimits(ctx);
  for (const path of RATE_LIMITS_PATHS) {
    resource(app, path, {
      GET: [limited(ctx, 'rate_limits'), (c) => json(limits, c.get('limitHeaders'))],
    });
  }
  return app;
}
