import type { Context } from '../../context.ts';
import { Placeholders } from '../../features/platform/contents/contents.ts';
import { archiveRoutes } from '../../features/accounts/exports/routes.ts';
import { mediaRoutes } from '../../features/files/media/routes.ts';
import { Variants } from '../../features/files/media/media.ts';
import { staticRoutes } from '../../features/files/statics/routes.ts';
import { uploadRoutes } from '../../features/files/uploads/routes.ts';
import { compileRoutes } from '../../http/compile-routes.ts';
import { httpServiceOf, refusing, type HttpService } from '../../http/http-service.ts';
import { limitedRoute } from '../../http/limited-route.ts';
import { withOpenApi } from '../../http/openapi.ts';
import { StoredContents } from '../../http/stored-contents.ts';

/** The routes of the file service. */
export const FILE_ROUTES = [...staticRoutes, ...archiveRoutes, ...mediaRoutes, ...uploadRoutes];

/** The file service (Endpoints: File service). Every GET and HEAD counts as fetching, found or not (LI5). */
export function filesService(ctx: Context): HttpService {
  const contents = new StoredContents(ctx);
  const title = 'File service of a Hearth instance';
  const info = { title, url: ctx.addresses.files, limit: 'fetch_file' } as const;
  const pictures = { ...ctx, placeholders: new Placeholders(ctx) };
  const media = { ...pictures, variants: new Variants(pictures) };
  const routes = withOpenApi(FILE_ROUTES, info);
  const compiled = compileRoutes(routes, { ctx: media, contents });
  const service = httpServiceOf(ctx, compiled, (error, method) =>
    method === 'GET'
      ? limitedRoute(ctx, 'fetch_file', () => Promise.reject(error))
      : refusing(ctx, error),
  );
  return {
    ...service,
    find: (method, path) =>
      (method === 'GET' ? contents.answerTo(path) : undefined) ?? service.find(method, path),
  };
}
