import { NotFoundError, ServerError } from '@hearth/protocol';
import type { Deployment } from '../config/config.ts';
import type { ServiceContext } from '../context.ts';
import { errorCode } from '../lib/error-code.ts';
import { clientResolver } from '../http/client-address.ts';
import type { HttpService } from '../http/http-service.ts';
import { httpHandlers } from '../http/handlers.ts';
import { isBelow, requestPath } from '../http/path.ts';
import { renderError, type HeaderValues } from '../http/respond.ts';
import { serveHttp, type ServiceAtPort } from '../runtime/http-server.ts';
import type { Listener } from '../runtime/listener.ts';
import { ServedService } from '../runtime/served-service.ts';
import { serveSharedPort } from '../runtime/shared-port.ts';
import type { SocketEndpoint, SocketServer } from '../runtime/socket-server.ts';

/** Options of an HTTP service, at all its ports together. */
export interface ServingOptions {
  readonly unreadSeconds: number;
  readonly mostRequests: number;
  /** The number of file transfers that one client may have at once; without it no request counts as a transfer. */
  readonly transfersPerClient?: number;
  /** The operation that a fault outside of the routes is logged under. */
  readonly operation: string;
}

/** An HTTP service, and what runs at it. */
export interface ServedHttp {
  readonly http: HttpService;
  readonly served: ServedService;
  readonly operation: string;
}

/** The services that share the port of the web client. */
export interface SharedPort<State> {
  /** Answers what is not below the path of another one. */
  readonly page: ServedHttp;
  readonly others: readonly { readonly path: string; readonly service: ServedHttp }[];
  readonly sockets: { readonly path: string; readonly endpoint: SocketEndpoint<State> } | undefined;
}

/** Listens for the requests of services. Both functions throw the system's error if they cannot. */
export interface Listen {
  /** At a port of the service's own. */
  readonly alone: (service: ServedHttp, port: number) => Listener;
  /** At the port of the web client. */
  readonly together: <State>(shared: SharedPort<State>, port: number) => SocketServer;
}

/** The time that a connection may be silent between and within requests; uploads allow themselves more. */
export const SILENCE_SECONDS = 10;

/** On the answer to a request whose body is not taken. */
const CLOSE: HeaderValues = { Connection: 'close' };

/** The operation that a fault at a shared port is logged under, if it is not known whose it is. */
const OF_ANY_SERVICE = 'Handling the request';

/** A service as it is to be served. */
export function servedHttp(
  ctx: ServiceContext,
  http: HttpService,
  { operation, transfersPerClient, unreadSeconds, mostRequests }: ServingOptions,
): ServedHttp {
  const served = new ServedService({
    silenceSeconds: SILENCE_SECONDS,
    unreadSeconds,
    mostRequests,
    transfers:
      transfersPerClient === undefined
        ? undefined
        : { clock: ctx.clock, perClient: transfersPerClient },
    onCrowd: () => {
      ctx.refusals.count('TooManyRequestsAtOnce', '');
      return renderError(new ServerError(operation), operation, CLOSE);
    },
  });
  return { http, served, operation };
}

/** Returns a function that serves the HTTP services of an instance. */
export function listenWith(
  ctx: ServiceContext,
  { host: hostname, trustedProxies }: Deployment,
): Listen {
  const clientOf = clientResolver(trustedProxies);
  const at = ({ http, served: service }: ServedHttp, path?: string): ServiceAtPort => ({
    service,
    ...httpHandlers(http, clientOf, path),
  });
  return {
    alone: (service, port) =>
      serveHttp({
        hostname,
        port,
        ...at(service),
        onFault: (error) => answerFault(ctx, error, service.operation),
      }),
    together({ page, others, sockets }, port) {
      const own = at(page);
      const below = others.map(({ path, service }) => ({ path, at: at(service, path) }));
      return serveSharedPort({
        hostname,
        port,
        services: [own, ...below.map((each) => each.at)],
        sockets: sockets?.endpoint,
        choose({ url }) {
          const asked = requestPath(url);
          if (sockets !== undefined && isBelow(sockets.path, asked)) return 'sockets';
          return below.find(({ path }) => isBelow(path, asked))?.at ?? own;
        },
        onFault: (error) => answerFault(ctx, error, OF_ANY_SERVICE),
      });
    },
  };
}

// Outside of the handlers the runtime can only fail to open a file that has just been removed.
function answerFault(ctx: ServiceContext, error: unknown, operation: string): Response {
  if (errorCode(error) === 'ENOENT') return renderError(new NotFoundError(), operation);
  ctx.failures.report(error, operation);
  return renderError(error, operation);
}
