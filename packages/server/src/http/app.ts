import { MethodNotAllowedError, NotFoundError } from '@hearth/protocol';
import { Hono, type Context as HonoContext, type Handler, type MiddlewareHandler } from 'hono';
import type { Context } from '../context.ts';
import type { Verdict } from '../ports/limiter/limiter.ts';
import type { Handle, HttpServerOptions, Peer } from '../runtime/http-server.ts';
import { answerError } from './answer-error.ts';
import { drainUnread } from './body.ts';
import type { Answer, Caller } from './caller.ts';
import type { ClientResolver } from './client-address.ts';
import { requestPath } from './path.ts';
import { preflight, type HeaderValues } from './respond.ts';

/** What a limited route finds in Hono's context; other routes have no variables. */
export interface HttpEnv {
  Bindings: Caller;
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

/** What answers the requests of a component. */
export interface Door {
  /** Finds what answers by method and path; HEAD comes as GET, and OPTIONS never. */
  find(method: string, path: string): Answer;
  /** What `find` gives for POST of these paths, for the runtime to find by itself. */
  readonly posts?: Readonly<Record<string, Answer>>;
}

type Handlers = readonly (MiddlewareHandler<HttpEnv> | Handler<HttpEnv>)[];

/** An application without routes: paths as documented, every error in the envelope. */
export function createApp(ctx: Context): HttpApp {
  const app = new Hono<HttpEnv>({ getPath: (request) => requestPath(request.url) });
  const fail = (error: Error, c: HonoContext<HttpEnv>) => {
    const { operation, limitHeaders }: Partial<HttpEnv['Variables']> = c.var;
    return answerError(ctx, error, {
      request: c.req.raw,
      caller: c.env,
      operation,
      limitHeaders,
    });
  };
  app.notFound((c) => fail(new NotFoundError(), c));
  app.onError(fail);
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

/** The answers of an application that is made for the first request, which no start waits for. */
export function answering(makeApp: () => HttpApp): Answer {
  let app: HttpApp | undefined;
  return (request, caller) => (app ??= makeApp()).fetch(request, caller);
}

/** Answers the requests of a door: preflights, HEAD as the GET without its body, everything else by its routes. */
export function httpHandlers(
  door: Door,
  clientOf: ClientResolver,
): Pick<HttpServerOptions, 'handle' | 'posts'> {
  const call = (answer: Answer, request: Request, peer: Peer) =>
    answer(request, { client: clientOf(request, peer.address), peer });
  const answerTo = (request: Request, peer: Peer, method: string) =>
    call(door.find(method, requestPath(request.url)), request, peer);
  const handle: Handle = (request, peer) => {
    const { method } = request;
    switch (method) {
      case 'OPTIONS':
        return preflight(request);
      case 'HEAD':
        return answerHead(request, peer, async (get) => answerTo(get, peer, 'GET'));
      default:
        return answerTo(request, peer, method);
    }
  };
  const posts = Object.entries(door.posts ?? {}).map(([path, answer]): [string, Handle] => [
    path,
    (request, peer) => call(answer, request, peer),
  ]);
  return { handle, posts: Object.fromEntries(posts) };
}

async function answerHead(
  request: Request,
  peer: Peer,
  answer: (get: Request) => Promise<Response>,
): Promise<Response> {
  const response = await answer(asGet(request));
  if (response.status >= 400 && !peer.isCrowded) await drainUnread(request);
  // The runtime dates every answer but those to HEAD.
  response.headers.set('Date', new Date().toUTCString());
  if (!response.headers.has('Content-Length')) return response;
  // What tells its length is a stream, which is not begun; of one the runtime would leave the length out.
  await response.body?.cancel();
  return new Response(null, response);
}

// The runtime leaves the body of an answer to HEAD out and keeps its length. Range is defined for GET alone. Of the
// address only path and query matter, and without a usable Host header there is nothing else.
function asGet(request: Request): Request {
  const headers = new Headers(request.headers);
  headers.delete('range');
  const [query = ''] = /\?.*/s.exec(request.url) ?? [];
  return new Request(`http://localhost${requestPath(request.url)}${query}`, {
    method: 'GET',
    headers,
  });
}
