import type { Context } from '../../context.ts';
import { instanceInfoRoutes } from '../../features/instance-info/routes.ts';
import { messageRoutes } from '../../features/messages/routes.ts';
import { rateLimitRoutes } from '../../features/rate-limits/routes.ts';
import type { Door } from '../../http/app.ts';
import { fixedDoor } from '../../http/fixed-routes.ts';

/** The REST service (Endpoints: REST service). */
export function restDoor(ctx: Context): Door {
  return fixedDoor(ctx, {
    ...instanceInfoRoutes(ctx),
    ...rateLimitRoutes(ctx),
    ...messageRoutes(ctx),
  });
}
