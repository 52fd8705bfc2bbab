import { STATIC_BUCKET } from '@hearth/protocol';
import type { Context as HonoContext } from 'hono';
import type { Context } from '../../context.ts';
import { createApp, resource, type HttpApp, type HttpEnv } from '../../http/app.ts';
import type { ServedContent } from '../../http/serve-content.ts';
import type { StoredContents } from '../../http/stored-contents.ts';
import { findStatic } from './find-static.ts';

/** Fetching of static files. */
export function staticRoutes(ctx: Context, contents: StoredContents): HttpApp {
  const app = createApp(ctx);
  const path = `/${STATIC_BUCKET}/:name`;
  const content = (disposition: ServedContent['disposition']) => (c: HonoContext<HttpEnv>) =>
    contents.serve(c, async () => ({
      ...(await findStatic(ctx, c.req.param('name') ?? '')),
      disposition,
      isImmutable: false,
    }));
  resource(app, path, { GET: [content('inline')] });
  return resource(app, `${path}/download`, { GET: [content('attachment')] });
}
