import { NotFoundError, ServerError } from '@hearth/protocol';
import type { Deployment } from '../config/config.ts';
import type { ServiceContext } from '../context.ts';
import { errorCode } from '../lib/error-code.ts';
import { clientResolver } from '../http/client-address.ts';
import type { HttpService } from '../http/http-service.ts';
import { httpHandlers } from '../http/handlers.ts';
import { renderError, type HeaderValues } from '../http/respond.ts';
import { serveHttp, type Listener } from '../runtime/http-server.ts';

/** How an HTTP service is served. */
export interface ListenOptions {
  readonly port: number;
  readonly unreadSeconds: number;
  readonly mostRequests: number;
  /** How many file transfers one client may have at once; without it no request counts as a transfer. */
  readonly transfersPerClient?: number;
  /** The operation that a fault outside of the routes is logged under. */
  readonly operation: string;
}

/** Listens for the requests of a service. Throws the system's error if it cannot. */
export type Listen = (service: HttpService, options: ListenOptions) => Listener;

/** How long a connection may be silent between and within requests; uploads allow themselves more. */
export const SILENCE_SECONDS = 10;

/** On the answer to a request whose body is not taken. */
const CLOSE: HeaderValues = { Connection: 'close' };

/** What serves the HTTP services of an instance. */
export function listenWith(ctx: ServiceContext, { host, trustedProxies }: Deployment): Listen {
  const clientOf = clientResolver(trustedProxies);
  return (service, options) =>
    serveHttp({
      hostname: host,
      port: options.port,
      silenceSeconds: SILENCE_SECONDS,
      unreadSeconds: options.unreadSeconds,
      mostRequests: options.mostRequests,
      transfers:
        options.transfersPerClient === undefined
          ? undefined
          : { clock: ctx.clock, perClient: options.transfersPerClient },
      onCrowd: () => {
        ctx.refusals.count('TooManyRequestsAtOnce', '');
        return renderError(new ServerError(options.operation), options.operation, CLOSE);
      },
      ...httpHandlers(service, clientOf),
      onFault: (error) => answerFault(ctx, error, options.operation),
    });
}

// Outside of the handlers the runtime can only fail to open a file that has just been removed.
function answerFault(ctx: ServiceContext, error: unknown, operation: string): Response {
  if (errorCode(error) === 'ENOENT') return renderError(new NotFoundError(), operation);
  ctx.failures.report(error, operation);
  return renderError(error, operation);
}
