import { capabilityRoutes } from '../../features/capabilities/routes.ts';
import { instanceInfoRoutes } from '../../features/instance-info/routes.ts';
import type { LobbyContext } from '../../features/lobby/lobby-context.ts';
import { lobbyRoutes } from '../../features/lobby/routes.ts';
import { onlineRoutes } from '../../features/online/routes.ts';
import { rateLimitRoutes } from '../../features/rate-limits/routes.ts';
import { compileRoutes } from '../../http/compile-routes.ts';
import { httpServiceOf, type HttpService } from '../../http/http-service.ts';
import { withOpenApi } from '../../http/openapi.ts';

/** The REST service (Endpoints: REST service). */
export function restService(ctx: LobbyContext): HttpService {
  const routes = [
    ...instanceInfoRoutes,
    ...capabilityRoutes,
    ...onlineRoutes,
    ...rateLimitRoutes,
    ...lobbyRoutes(ctx.settings),
  ];
  const title = 'REST service of a Hearth instance';
  const described = withOpenApi(routes, { title, url: ctx.addresses.rest, limit: 'read' });
  return httpServiceOf(ctx, compileRoutes(described, { ctx }));
}
