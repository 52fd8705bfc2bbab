import { WEB_PLACES } from '@hearth/protocol';
import type { Config } from '../../config/config.ts';
import type { ServiceContext } from '../../context.ts';
import type { Answer } from '../../http/caller.ts';
import { httpServiceOf, type HttpService } from '../../http/http-service.ts';
import { fileAnswer, manifestAnswer, pageAnswer } from './answers.ts';
import { MANIFEST_FILE, PAGE_FILE, type Site } from './site.ts';
import { viewsOf, type ViewAt } from './view.ts';

/** The operation that a fault is logged under. */
export const WEB_OPERATION = 'Fetching the web client';

/** The web client as read from its folder (docs/spec/web.md). */
export function webService(ctx: ServiceContext, config: Config, site: Site): HttpService {
  const answers = Object.entries(webAnswers(ctx, site, viewsOf(config)));
  return httpServiceOf(
    ctx,
    answers.map(([path, answer]) => ({ method: 'GET', path, answer })),
  );
}

function webAnswers(
  ctx: ServiceContext,
  { page, manifest, files }: Site,
  viewAt: ViewAt,
): Readonly<Record<string, Answer>> {
  const shown = pageAnswer(ctx, page, viewAt);
  return {
    ...Object.fromEntries(Array.from(files, ([path, file]) => [path, fileAnswer(file, viewAt)])),
    ...Object.fromEntries(Object.values(WEB_PLACES).map((path) => [path, shown])),
    [`/${PAGE_FILE}`]: shown,
    ...(manifest === undefined
      ? {}
      : { [`/${MANIFEST_FILE}`]: manifestAnswer(ctx, manifest, viewAt) }),
  };
}
