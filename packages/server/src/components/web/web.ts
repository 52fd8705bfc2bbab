import { WEB_PLACES } from '@hearth/protocol';
import { servicePaths } from '../../config/component-addresses.ts';
import type { Config } from '../../config/config.ts';
import type { ServiceContext } from '../../context.ts';
import type { Answer } from '../../http/caller.ts';
import { httpServiceOf, type HttpService } from '../../http/http-service.ts';
import type { Limiter } from '../../ports/limiter/limiter.ts';
import { fileAnswer, manifestAnswer, pageAnswer, pagesByHost, type PageFor } from './answers.ts';
import { keptAnswer, type FindKept } from './kept-assets.ts';
import { PlainAnswers, type Patience } from './plain-answers.ts';
import type { PublicPages } from '../../features/publishing/public-pages/public-pages.ts';
import { ASSETS, MANIFEST_FILE, PAGE_FILE, type Site } from './site.ts';
import { StartError } from '../../lib/start-error.ts';
import { quote } from '../../config/wording.ts';
import { viewsOf, type PageScripts, type ViewAt } from './view.ts';

/** The operation that a fault is logged under. */
export const WEB_OPERATION = 'Fetching the web client';

/** Documents for programs and for readers without scripts. */
export interface PlainContent {
  readonly pages: PublicPages;
  /** Counts the requests for it. */
  readonly limiter: Pick<Limiter, 'take'>;
  readonly patience?: Patience | undefined;
}

export interface WebContent {
  readonly site: Site;
  /** Known only if the process has the database. */
  readonly plain?: PlainContent | undefined;
  /** Known only if the process has the database. */
  readonly kept?: FindKept | undefined;
}

/** The web client as read from its folder, and how it sees the instance. */
export interface WebService {
  readonly http: HttpService;
  readonly viewAt: ViewAt;
}

/**
 * The web client as read from its folder (docs/spec/web.md). Throws StartError if a component would have the address of
 * one of its files.
 */
export function webService(ctx: ServiceContext, config: Config, content: WebContent): WebService {
  const viewAt = viewsOf(config, scriptsOf(content.site));
  const answers = Object.entries(webAnswers(ctx, content, viewAt));
  refuseShadowed(
    config,
    answers.map(([path]) => path),
  );
  const http = httpServiceOf(
    ctx,
    answers.map(([path, answer]) => ({ method: 'GET', path, answer })),
  );
  return { http, viewAt };
}

/** The scripts in the folder of assets are the page's. Only the worker has to be at its top. */
function scriptsOf({ files }: Site): PageScripts {
  const all = Array.from(files).flatMap(([path, { contentType }]) =>
    contentType.startsWith('text/javascript') ? [path] : [],
  );
  const [scripts, workers] = [true, false].map((isAsset) =>
    all.filter((path) => path.startsWith(ASSETS) === isAsset),
  );
  return { scripts: scripts ?? [], workers: workers ?? [] };
}

/** Throws StartError if the first segment of a component's path is that of an address of the page. */
function refuseShadowed({ settings }: Config, addresses: readonly string[]): void {
  const taken = new Set(addresses.map((path) => path.split('/')[1]));
  const { rest, gateway, files } = servicePaths(settings);
  for (const [key, path] of Object.entries({
    api_path: rest,
    gateway_path: gateway,
    files_path: files,
  })) {
    if (!taken.has(path.split('/')[1])) continue;
    throw new StartError(
      `web.${key}: expected a path that is not in the web client, got ${quote(path)}`,
    );
  }
}

function webAnswers(
  ctx: ServiceContext,
  { site: { page, manifest, files }, plain, kept }: WebContent,
  viewAt: ViewAt,
): Readonly<Record<string, Answer>> {
  const pageFor = pagesByHost(ctx, { page, viewAt });
  const shown = pageAnswer(pageFor);
  return {
    ...Object.fromEntries(Array.from(files, ([path, file]) => [path, fileAnswer(file, viewAt)])),
    ...Object.fromEntries(Object.values(WEB_PLACES).map((path) => [path, shown])),
    ...(plain && plainAnswers(ctx, plain, pageFor)),
    ...(kept && { [`${ASSETS}:file`]: keptAnswer(ctx, kept, viewAt) }),
    [`/${PAGE_FILE}`]: shown,
    ...(manifest === undefined
      ? {}
      : { [`/${MANIFEST_FILE}`]: manifestAnswer(ctx, manifest, viewAt) }),
  };
}

function plainAnswers(
  ctx: ServiceContext,
  { pages: { places, documents, rendered }, limiter, patience }: PlainContent,
  pageFor: PageFor,
): Readonly<Record<string, Answer>> {
  const plain = new PlainAnswers(ctx, { pageFor, rendered, limiter, patience });
  return Object.fromEntries([
    ...Array.from(places, ([path, find]) => [path, plain.placeAt(path, find)] as const),
    ...Array.from(documents, ([path, find]) => [path, plain.documentAt(path, find)] as const),
  ]);
}
