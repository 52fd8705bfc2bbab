import { NotFoundError } from '@hearth/protocol';
import { ANYONE } from '../actor.ts';
import type { Context } from '../context.ts';
import { requireAuth } from './authenticate.ts';
import { parseHeaders, parseJsonBody, parseQuery, type BodyBytes } from './body.ts';
import type { Answer } from './caller.ts';
import type { CountedRequest } from './counted-route.ts';
import type { HeadedAnswer } from './headed-answer.ts';
import type { HttpServiceRoute } from './http-service.ts';
import {
  lateLimitedJsonPost,
  limitedHeadedJson,
  limitedJson,
  limitedJsonPost,
  limitedLastingJson,
  limitedRoute,
  limitedStream,
} from './limited-route.ts';
import { CONTENT, DEFAULT_BODY_BYTES, isStreamed, type Route } from './route.ts';
import type { StoredContent, StoredContents } from './stored-contents.ts';
import { takenBody } from './taken-body.ts';

export interface Compilation<Ctx extends Context> {
  readonly ctx: Ctx;
  /** Serves what {@link CONTENT} routes find, if there are any. */
  readonly contents?: StoredContents;
}

/** Compiles each route into a function that answers its requests. */
export function compileRoutes<Ctx extends Context>(
  routes: readonly Route<Ctx>[],
  compilation: Compilation<Ctx>,
): readonly HttpServiceRoute[] {
  return routes.map((route) => {
    const { method, path } = route;
    return { method, path, answer: answerOf(route, compilation) };
  });
}

function answerOf<Ctx extends Context>(
  route: Route<Ctx>,
  { ctx, contents }: Compilation<Ctx>,
): Answer {
  const { limit, maxBodyBytes: maxBytes = DEFAULT_BODY_BYTES, answers } = route;
  const body = takenBody(route);
  const act = actOf(route, ctx);
  if (answers === CONTENT) {
    if (contents === undefined) throw new TypeError(`${route.name} needs contents to serve`);
    const { keyedBy, secretIn } = route;
    if ((route.query ?? route.headers) !== undefined && (keyedBy ?? secretIn) === undefined)
      throw new TypeError(`${route.name} needs a key for what it reads besides the path`);
    const read = inputOf(route);
    return limitedRoute(ctx, limit, (counted) => {
      requireAuth(route, counted.actor);
      const input = read(counted);
      const find = async () => foundBy(await route.handle(ctx, counted.actor, input));
      const [variant, secret] = [keyedBy?.(input), secretIn?.(input)];
      return contents.serve(counted, { bucket: limit, variant, secret, find });
    });
  }
  if (route.isConstant === true) {
    let text: string | undefined;
    return limitedJson(ctx, limit, ({ actor }) => {
      requireAuth(route, actor);
      return (text ??= JSON.stringify(route.handle(ctx, ANYONE, undefined)));
    });
  }
  if (route.keptBy !== undefined)
    return limitedLastingJson(ctx, limit, { act, keptBy: route.keptBy });
  if (route.addsHeaders !== undefined) {
    const adds = Object.keys(route.addsHeaders);
    return limitedHeadedJson(ctx, limit, {
      adds,
      act: async (counted) => headed(await act(counted)),
    });
  }
  if (body === undefined) return limitedJson(ctx, limit, (counted) => jsonText(act(counted)));
  if (isStreamed(body)) {
    return limitedStream(ctx, limit, async (streamed, counted) =>
      jsonText(act(counted, () => streamed)),
    );
  }
  const { bodyOfUser = body } = route;
  if (route.countsLate === true) {
    return lateLimitedJsonPost(ctx, limit, {
      maxBytes,
      produce: (bytes, counted, counting) => {
        const read = () => Object.assign({ counting }, parseJsonBody(bytes, body));
        return jsonText(act(counted, read));
      },
    });
  }
  const produce = (bytes: BodyBytes, counted: CountedRequest) => {
    const schema = counted.actor.kind === 'guest' ? body : bodyOfUser;
    return jsonText(act(counted, () => parseJsonBody(bytes, schema)));
  };
  return limitedJsonPost(ctx, limit, { maxBytes, produce });
}

/** Reads a body, after everything that can be checked without it. */
type ReadBody = () => unknown;

/** Runs the verb of a route for a request. */
function actOf<Ctx extends Context>(
  route: Route<Ctx>,
  ctx: Ctx,
): (counted: CountedRequest, readBody?: ReadBody) => unknown {
  const { handle } = route;
  const read = inputOf(route);
  return (counted, readBody) => {
    requireAuth(route, counted.actor);
    return handle(ctx, counted.actor, read(counted, readBody));
  };
}

/** Reads the input of a route's verb from a request. */
function inputOf<Ctx extends Context>({
  params,
  query,
  headers,
}: Route<Ctx>): (counted: CountedRequest, readBody?: ReadBody) => unknown {
  if (params === undefined && query === undefined && headers === undefined)
    return (_counted, readBody) => readBody?.();
  return (counted, readBody) => {
    const fromPath = params?.safeParse(counted.params);
    if (fromPath?.success === false) throw new NotFoundError();
    const fromQuery = query === undefined ? undefined : parseQuery(counted.request.url, query);
    const fromHeaders = headers === undefined ? undefined : parseHeaders(counted.request, headers);
    // Each of these was made for this request.
    return Object.assign(readBody?.() ?? {}, fromHeaders, fromQuery, fromPath?.data);
  };
}

function jsonText(result: unknown): string | Promise<string> {
  return result instanceof Promise
    ? result.then((value) => JSON.stringify(value))
    : JSON.stringify(result);
}

// Guarantee: the verb of a route that adds headers returns this.
function headed(result: unknown): HeadedAnswer<unknown> {
  return result as HeadedAnswer<unknown>;
}

// Guarantee: the type of `route` allows a CONTENT route no other verb.
function foundBy(result: unknown): StoredContent {
  return result as StoredContent;
}
