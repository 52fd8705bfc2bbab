import type { ServiceHandlers } from '../runtime/http-server.ts';
import type { Handle, Peer } from '../runtime/peer.ts';
import { drainUnread } from './body.ts';
import type { Answer } from './caller.ts';
import type { ClientResolver } from './client-address.ts';
import type { HttpService } from './http-service.ts';
import { pathBelow, requestPath } from './path.ts';
import { preflight } from './respond.ts';

/**
 * Answers the requests of a service: preflights, HEAD as GET without its body, everything else by its routes. At a port
 * that it shares with others, all its requests are below `basePath`.
 */
export function httpHandlers(
  service: HttpService,
  clientOf: ClientResolver,
  basePath = '',
): ServiceHandlers {
  const pathOf = ({ url }: Request) => pathBelow(basePath, requestPath(url));
  const call = (answer: Answer, request: Request, peer: Peer) =>
    answer(request, { client: clientOf(request, peer.address), basePath, peer });
  const answerTo = (request: Request, peer: Peer, method: string) =>
    call(service.find(method, pathOf(request)), request, peer);
  const handle: Handle = (request, peer) => {
    const { method } = request;
    switch (method) {
      case 'OPTIONS':
        return preflight(request, service.allowedOn(pathOf(request)));
      case 'HEAD':
        return answerHead(request, peer, async (get) => answerTo(get, peer, 'GET'));
      default:
        return answerTo(request, peer, method);
    }
  };
  const posts = Object.entries(service.posts).map(([path, answer]): [string, Handle] => [
    postPath(basePath, path),
    (request, peer) => call(answer, request, peer),
  ]);
  return { handle, posts: Object.fromEntries(posts) };
}

function postPath(basePath: string, path: string): string {
  return basePath !== '' && path === '/' ? basePath : basePath + path;
}

async function answerHead(
  request: Request,
  peer: Peer,
  answer: (get: Request) => Promise<Response>,
): Promise<Response> {
  const response = await answer(asGet(request));
  if (response.status >= 400 && !peer.isCrowded) await drainUnread(request);
  // The runtime adds a date to every answer but those to HEAD.
  response.headers.set('Date', new Date().toUTCString());
  if (!response.headers.has('Content-Length')) return response;
  // A body that reports its length is a stream, which is not started; the runtime would leave its length out.
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
