import type { Context } from '../../context.ts';
import { instanceInfoRoutes } from '../../features/instance-info/routes.ts';
import { messageRoutes } from '../../features/messages/routes.ts';
import { rateLimitRoutes } from '../../features/rate-limits/routes.ts';
import { createApp, type HttpApp } from '../../http/app.ts';

/** The REST service (Endpoints: REST service). */
export function restApp(ctx: Context): HttpApp {
  return createApp(ctx)
    .route('/', instanceInfoRoutes(ctx))
    .route('/', rateLimitRoutes(ctx))
    .route('/', messageRoutes(ctx));
}
