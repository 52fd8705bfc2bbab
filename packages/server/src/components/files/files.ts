import type { Context } from '../../context.ts';
import { staticRoutes } from '../../features/statics/routes.ts';
import { uploadRoutes } from '../../features/uploads/routes.ts';
import { answering, createApp, type Door } from '../../http/app.ts';
import { limited } from '../../http/limited.ts';
import { StoredContents } from '../../http/stored-contents.ts';

/** The file service (Endpoints: File service). Every GET and HEAD counts as fetching, found or not. */
export function filesDoor(ctx: Context): Door {
  const contents = new StoredContents(ctx);
  const answer = answering(() =>
    createApp(ctx)
      .on('GET', '*', limited(ctx, 'fetch_file'))
      .route('/', staticRoutes(ctx, contents))
      .route('/', uploadRoutes(ctx, contents)),
  );
  return {
    find: (method, path) => (method === 'GET' ? contents.answerTo(path) : undefined) ?? answer,
  };
}
