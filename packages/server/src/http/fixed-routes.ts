import { MethodNotAllowedError, NotFoundError } from '@hearth/protocol';
import type { DoorContext } from '../context.ts';
import { answerError } from './answer-error.ts';
import type { Door } from './app.ts';
import type { Answer } from './caller.ts';

/** Routes without parameters, by their paths: found in a table, without a router. */
export type FixedRoutes = Readonly<
  Record<string, { readonly GET?: Answer; readonly POST?: Answer }>
>;

/** A component that has fixed routes only; HEAD goes with GET, every other method is a 405 with Allow. */
export function fixedDoor(ctx: DoorContext, routes: FixedRoutes): Door {
  const table = new Map(
    Object.entries(routes).map(([path, { GET, POST }]) => [
      path,
      { GET, POST, other: refusing(ctx, new MethodNotAllowedError(allowed({ GET, POST }))) },
    ]),
  );
  const missing = refusing(ctx, new NotFoundError());
  const posts = Object.entries(routes).flatMap(([path, { POST }]) =>
    POST === undefined ? [] : [[path, POST] as const],
  );
  return {
    find(method, path) {
      const route = table.get(path);
      if (route === undefined) return missing;
      return (method === 'GET' || method === 'POST' ? route[method] : undefined) ?? route.other;
    },
    posts: Object.fromEntries(posts),
  };
}

function allowed({ GET, POST }: { GET: Answer | undefined; POST: Answer | undefined }) {
  return [
    ...(GET === undefined ? [] : ['GET', 'HEAD']),
    ...(POST === undefined ? [] : ['POST']),
    'OPTIONS',
  ];
}

function refusing(ctx: DoorContext, error: Error): Answer {
  return (request, caller) => answerError(ctx, error, { request, caller });
}
