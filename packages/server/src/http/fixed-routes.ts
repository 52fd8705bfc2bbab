import type { Context } from '../context.ts';
import { createApp, resource, type Door, type HttpApp } from './app.ts';
import type { Answer } from './caller.ts';

/** Routes without parameters, by their paths: found in a table, without a router. */
export type FixedRoutes = Readonly<
  Record<string, { readonly GET?: Answer; readonly POST?: Answer }>
>;

/** A component that has fixed routes only. */
export function fixedDoor(ctx: Context, routes: FixedRoutes): Door {
  const table = {
    GET: new Map(Object.entries(routes).map(([path, { GET }]) => [path, GET])),
    POST: new Map(Object.entries(routes).map(([path, { POST }]) => [path, POST])),
  };
  return {
    makeApp: () => fixedApp(ctx, routes),
    shortcut: (method, path) =>
      method === 'GET' || method === 'POST' ? table[method].get(path) : undefined,
  };
}

function fixedApp(ctx: Context, routes: FixedRoutes): HttpApp {
  const app = createApp(ctx);
  for (const [path, { GET, POST }] of Object.entries(routes)) {
    resource(app, path, {
      ...(GET === undefined ? {} : { GET: [(c) => GET(c.req.raw, c.env)] }),
      ...(POST === undefined ? {} : { POST: [(c) => POST(c.req.raw, c.env)] }),
    });
  }
  return app;
}
