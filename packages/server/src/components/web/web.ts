import type { Config } from '../../config/config.ts';
import type { DoorContext } from '../../context.ts';
import { answerError } from '../../http/answer-error.ts';
import type { Door } from '../../http/app.ts';
import { fixedDoor, type FixedRoutes } from '../../http/fixed-routes.ts';
import { loadedOnce } from '../../loaded-once.ts';
import { fileAnswer, manifestAnswer, pageAnswer } from './answers.ts';
import { loadSite, MANIFEST_FILE, PAGE_FILE, type Site } from './site.ts';
import { viewsOf, type ViewAt } from './view.ts';

/** What answers for the web client. */
export interface WebDoor extends Door {
  /** Brings the client into memory, which the first request does otherwise. Throws where it is not there. */
  load(): Promise<unknown>;
}

/** What a fault is called. */
export const WEB_OPERATION = 'Fetching the web client';

/** The web client that is built in `folder` (docs/spec/web.md). */
export function webDoor(ctx: DoorContext, config: Config, folder: string): WebDoor {
  const viewAt = viewsOf(config);
  const load = loadedOnce(async () =>
    fixedDoor(ctx, webRoutes(ctx, await loadSite(folder), viewAt)),
  );
  return {
    load,
    find: (method, path) => async (request, caller) => {
      try {
        return await (await load()).find(method, path)(request, caller);
      } catch (error) {
        return answerError(ctx, error, { request, caller, operation: WEB_OPERATION });
      }
    },
  };
}

function webRoutes(ctx: DoorContext, { page, manifest, files }: Site, viewAt: ViewAt): FixedRoutes {
  const shown = { GET: pageAnswer(ctx, page, viewAt) };
  const installed =
    manifest === undefined
      ? {}
      : { [`/${MANIFEST_FILE}`]: { GET: manifestAnswer(ctx, manifest, viewAt) } };
  return {
    ...Object.fromEntries(
      Array.from(files, ([path, file]) => [path, { GET: fileAnswer(file, viewAt) }]),
    ),
    '/': shown,
    [`/${PAGE_FILE}`]: shown,
    ...installed,
  };
}
