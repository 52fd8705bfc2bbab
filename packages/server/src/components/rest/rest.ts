import { capabilityRoutes } from '../../features/capabilities/routes.ts';
import { instanceInfoRoutes } from '../../features/instance-info/routes.ts';
import type { LobbyContext } from '../../features/messages/lobby-context.ts';
import { messageRoutes } from '../../features/messages/routes.ts';
import { rateLimitRoutes } from '../../features/rate-limits/routes.ts';
import { compileRoutes } from '../../http/compile-routes.ts';
import { doorOf, type Door } from '../../http/door.ts';
import { withOpenApi } from '../../http/openapi.ts';

/** The REST service (Endpoints: REST service). */
export function restDoor(ctx: LobbyContext): Door {
  const routes = [
    ...instanceInfoRoutes,
    ...capabilityRoutes,
    ...rateLimitRoutes,
    ...messageRoutes(ctx.settings),
  ];
  const title = 'REST service of a Hearth instance';
  const described = withOpenApi(routes, { title, url: ctx.addresses.rest, limit: 'read' });
  return doorOf(ctx, compileRoutes(described, { ctx }));
}
