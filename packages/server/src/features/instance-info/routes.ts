import type { Context } from '../../context.ts';
import { createApp, resource, type HttpApp } from '../../http/app.ts';
import { limited } from '../../http/limited.ts';
import { json } from '../../http/respond.ts';
import { describeInstance } from './describe-instance.ts';

/** `GET /` of the REST service. */
export function instanceInfoRoutes(ctx: Context): HttpApp {
  const info = describeInstance(ctx);
  return resource(createApp(ctx), '/', {
    GET: [limited(ctx, 'info'), (c) => json(info, c.get('limitHeaders'))],
  });
}
