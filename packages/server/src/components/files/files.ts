import type { Context } from '../../context.ts';
import { staticRoutes } from '../../features/statics/routes.ts';
import { uploadRoutes } from '../../features/uploads/routes.ts';
import { createApp, type Door } from '../../http/app.ts';
import { limited } from '../../http/limited.ts';

/** The file service (Endpoints: File service). Every GET and HEAD counts as fetching, found or not. */
export function filesDoor(ctx: Context): Door {
  return {
    makeApp: () =>
      createApp(ctx)
        .on('GET', '*', limited(ctx, 'fetch_file'))
        .route('/', staticRoutes(ctx))
        .route('/', uploadRoutes(ctx)),
  };
}
