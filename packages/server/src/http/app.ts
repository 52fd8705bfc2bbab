import { MethodNotAllowedError, NotFoundError, ProtocolError, ServerError } from '@hearth/protocol';
import { Hono, type Context as HonoContext, type Handler, type MiddlewareHandler } from 'hono';
import type { Context } from '../context.ts';
import type { Verdict } from '../ports/limiter/limiter.ts';
import type { Peer } from '../runtime/http-server.ts';
import { drainUnread } from './body.ts';
import type { ClientResolver } from './client-address.ts';
import { requestPath } from './path.ts';
import { preflight, renderError, type HeaderValues } from './respond.ts';

/** What a limited route finds in Hono's context; other routes have no variables. */
export interface HttpEnv {
  Bindings: {
    /** The client that the request counts for. */
    readonly client: string;
    readonly peer: Peer;
  };
  Variables: {
    /** What the request does, for the text of a 500. */
    operation: string;
    /** How the request was counted. */
    verdict: Verdict;
    /** The rate-limit headers of the answer. */
    limitHeaders: HeaderValues;
  };
}

/** A Hono application of the house. */
export type HttpApp = Hono<HttpEnv>;

type Handlers = readonly (MiddlewareHandler<HttpEnv> | Handler<HttpEnv>)[];

const FALLBACK_OPERATION = 'Handling the request';

/** An application without routes: paths as documented, every error in the envelope. */
export function createApp(ctx: Context): HttpApp {
  const app = new Hono<HttpEnv>({ getPath: (request) => requestPath(request.url) });
  const answerError = (error: Error, c: HonoContext<HttpEnv>) => {
    const found: Partial<HttpEnv['Variables']> = c.var;
    const operation = found.operation ?? FALLBACK_OPERATION;
    const isRefusal = error instanceof ProtocolError && !(error instanceof ServerError);
    if (isRefusal) ctx.refusals.count(error.name, c.env.client);
    else if (!c.req.raw.signal.aborted) ctx.log.error({ err: error, operation }, 'request failed');
    return renderError(error, operation, found.limitHeaders);
  };
  app.notFound((c) => answerError(new NotFoundError(), c));
  app.onError(answerError);
  return app;
}

/** Mounts the methods of one path; HEAD goes with GET, every other method is a 405 with Allow. */
export function resource(
  app: HttpApp,
  path: string,
  methods: { readonly GET?: Handlers; readonly POST?: Handlers },
): HttpApp {
  const allow: string[] = [];
  if (methods.GET !== undefined) {
    app.on('GET', [path], ...methods.GET);
    allow.push('GET', 'HEAD');
  }
  if (methods.POST !== undefined) {
    app.on('POST', [path], ...methods.POST);
    allow.push('POST');
  }
  app.all(path, () => {
    throw new MethodNotAllowedError([...allow, 'OPTIONS']);
  });
  return app;
}

/** Answers requests with `app`: preflights, HEAD as the GET without its body, refusals after the body was taken. */
export function httpHandler(app: HttpApp, clientOf: ClientResolver) {
  return async (request: Request, peer: Peer): Promise<Response> => {
    if (request.method === 'OPTIONS') return preflight(request);
    const client = clientOf(request.headers, peer.address);
    const response = await app.fetch(asGet(request), { client, peer });
    if (response.status >= 400 && !peer.isCrowded) await drainUnread(request);
    // The runtime dates every answer but those to HEAD.
    if (request.method === 'HEAD') response.headers.set('Date', new Date().toUTCString());
    return response;
  };
}

// The runtime leaves the body of an answer to HEAD out and keeps its length. Range is defined for GET alone. Of the
// address only the path matters, and without a usable Host header there is nothing else.
function asGet(request: Request): Request {
  if (request.method !== 'HEAD') return request;
  const headers = new Headers(request.headers);
  headers.delete('range');
  return new Request(`http://localhost${requestPath(request.url)}`, { method: 'GET', headers });
}
