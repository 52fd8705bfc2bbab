import { STATIC_BUCKET } from '@hearth/protocol';
import type { Context as HonoContext } from 'hono';
import type { Context } from '../../context.ts';
import { createApp, resource, type HttpApp, type HttpEnv } from '../../http/app.ts';
import type { ServedContent } from '../../http/serve-content.ts';
import { serveStored } from '../../http/serve-stored.ts';
import { findStatic } from './find-static.ts';

/** Fetching of static files. */
export function staticRoutes(ctx: Context): HttpApp {
  const app = createApp(ctx);
  const path = `/${STATIC_BUCKET}/:name`;
  resource(app, path, { GET: [(c) => getStatic(ctx, c, 'inline')] });
  return resource(app, `${path}/download`, { GET: [(c) => getStatic(ctx, c, 'attachment')] });
}

async function getStatic(
  ctx: Context,
  c: HonoContext<HttpEnv>,
  disposition: ServedContent['disposition'],
): Promise<Response> {
  const file = await findStatic(ctx, c.req.param('name') ?? '');
  return serveStored(ctx, c, { ...file, disposition, isImmutable: false });
}
