import { ANYONE } from '../../actor.ts';
import type { Addresses } from '../../context.ts';
import { auditRoutes } from '../../features/communities/audit-log/routes.ts';
import { banRoutes } from '../../features/communities/bans/routes.ts';
import { capabilityRoutes } from '../../features/platform/capabilities/routes.ts';
import { channelRoutes } from '../../features/communities/channels/routes.ts';
import { communityRoutes } from '../../features/communities/communities/routes.ts';
import { communityInviteRoutes } from '../../features/communities/community-invites/routes.ts';
import { describeInstance } from '../../features/platform/instance-info/instance-info.ts';
import { exportRoutes } from '../../features/accounts/exports/routes.ts';
import { instanceInfoRoutes } from '../../features/platform/instance-info/routes.ts';
import { joinRequestRoutes } from '../../features/communities/join-requests/routes.ts';
import { commentRoutes } from '../../features/forum/comments/routes.ts';
import { lobbyRoutes } from '../../features/talk/lobby/routes.ts';
import { memberRoutes } from '../../features/communities/members/routes.ts';
import { postListRoutes } from '../../features/forum/post-lists/routes.ts';
import { channelMessageRoutes } from '../../features/talk/messages/routes.ts';
import { postRoutes } from '../../features/forum/posts/routes.ts';
import { mailCodeRoutes } from '../../features/accounts/mail-codes/routes.ts';
import { onlineRoutes } from '../../features/talk/online/routes.ts';
import { ownAccountRoutes } from '../../features/accounts/own-account/routes.ts';
import { pointRoutes } from '../../features/forum/points/routes.ts';
import { rateLimitRoutes } from '../../features/platform/rate-limits/routes.ts';
import { registrationRoutes } from '../../features/accounts/registration/routes.ts';
import { roleRoutes } from '../../features/communities/roles/routes.ts';
import { notificationSettingRoutes } from '../../features/talk/notification-settings/routes.ts';
import { notificationRoutes } from '../../features/talk/notifications/routes.ts';
import { readStateRoutes } from '../../features/talk/read-states/routes.ts';
import { searchRoutes } from '../../features/search/search/routes.ts';
import { secondFactorRoutes } from '../../features/accounts/second-factor/routes.ts';
import { sessionRoutes } from '../../features/accounts/sessions/routes.ts';
import { signInRoutes } from '../../features/accounts/sign-in/routes.ts';
import { typingRoutes } from '../../features/talk/typing/routes.ts';
import { ownUploadRoutes } from '../../features/files/uploads/routes.ts';
import { userRoutes } from '../../features/accounts/users/routes.ts';
import { voteRoutes } from '../../features/forum/voting/routes.ts';
import type { InstanceSettings } from '../../config/config.ts';
import type { InstanceContext } from '../../instance-context.ts';
import { compileRoutes } from '../../http/compile-routes.ts';
import { httpServiceOf, type HttpService } from '../../http/http-service.ts';
import { limitedJson } from '../../http/limited-route.ts';
import type { Route } from '../../http/route.ts';
import { withOpenApi } from '../../http/openapi.ts';

/** The routes of the REST service. */
export function restRoutes(settings: InstanceSettings): readonly Route<InstanceContext>[] {
  const routes: readonly Route<InstanceContext>[] = [
    ...instanceInfoRoutes,
    ...capabilityRoutes,
    ...onlineRoutes,
    ...rateLimitRoutes,
    ...lobbyRoutes(settings),
    ...searchRoutes,
    ...registrationRoutes,
    ...ownAccountRoutes,
    ...userRoutes,
    ...signInRoutes,
    ...sessionRoutes,
    ...secondFactorRoutes,
    ...mailCodeRoutes,
    ...exportRoutes,
    ...ownUploadRoutes,
    ...communityRoutes,
    ...roleRoutes,
    ...channelRoutes,
    ...readStateRoutes,
    ...notificationSettingRoutes,
    ...notificationRoutes,
    ...auditRoutes,
    ...memberRoutes,
    ...channelMessageRoutes(settings),
    ...postRoutes,
    ...banRoutes,
    ...communityInviteRoutes,
    ...joinRequestRoutes,
    ...typingRoutes,
    ...voteRoutes,
    ...commentRoutes,
    ...pointRoutes,
    ...postListRoutes,
  ];
  return routes;
}

/** The REST service (Endpoints: REST service). */
export function restService(ctx: InstanceContext): HttpService {
  const title = 'REST service of a Hearth instance';
  const described = withOpenApi(restRoutes(ctx.settings), {
    title,
    url: ctx.addresses.rest,
    limit: 'read',
  });
  return httpServiceOf(ctx, compileRoutes(described, { ctx }));
}

/** Returns the service for a port where its `GET /` answers with the addresses that the request shows. */
export function restServiceAt(
  ctx: InstanceContext,
  service: HttpService,
  addressesFor: (request: Request) => Addresses,
): HttpService {
  const described = new WeakMap<Addresses, string>();
  const describe = limitedJson(ctx, 'info', ({ request }) => {
    const addresses = addressesFor(request);
    const known = described.get(addresses);
    if (known !== undefined) return known;
    const text = JSON.stringify(describeInstance({ ...ctx, addresses }, ANYONE));
    described.set(addresses, text);
    return text;
  });
  return {
    ...service,
    find: (method, path) =>
      method === 'GET' && path === '/' ? describe : service.find(method, path),
  };
}
