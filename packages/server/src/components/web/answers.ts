import { NotFoundError } from '@hearth/protocol';
import type { ServiceContext } from '../../context.ts';
import type { Answer } from '../../http/caller.ts';
import { rawPath } from '../../http/path.ts';
import { JSON_HEADERS, type HeaderValues } from '../../http/respond.ts';
import { matchesAny } from '../../http/serve-content.ts';
import { acceptsEncoding, prefersJson } from './accepts.ts';
import { instanceInfo, pageAt, pageTemplate, renderManifest, renderPage } from './page.ts';
import { withHead, type HeadOf, type PlaceDocument } from './page-head.ts';
import { etagOf, type Manifest, type SiteFile, type Variant } from './site.ts';
import { hostIn, type View, type ViewAt } from './view.ts';

const IMMUTABLE = 'public, max-age=31536000, immutable';
const REVALIDATED = 'no-cache';

/** On every answer of the client: nothing else may use it. */
const FILE_HEADERS: HeaderValues = {
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
};

/** The client needs none of these, so nothing in it may ask for them. */
const NOTHING_OF_THE_DEVICE =
  'accelerometer=(), camera=(), display-capture=(), geolocation=(), gyroscope=(), magnetometer=(), microphone=(), ' +
  'midi=(), payment=(), usb=()';

const PAGE_HEADERS: HeaderValues = {
  ...FILE_HEADERS,
  'Cache-Control': REVALIDATED,
  'Content-Type': 'text/html; charset=utf-8',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Permissions-Policy': NOTHING_OF_THE_DEVICE,
  Vary: 'Accept',
};

const INFO_HEADERS: HeaderValues = { ...JSON_HEADERS, Vary: 'Accept' };

/** What is neither page nor script has nothing to load or to run. */
const PASSIVE_POLICY = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'";

/** Addresses that only programs ask for. */
const FEED = /\.(rss|atom)$/;

/** What pages are made of. */
export interface PageParts {
  readonly page: string;
  readonly viewAt: ViewAt;
}

/**
 * Answers with the page at a place, or with its instance information if a client prefers JSON; `headAt` finds what the page says
 * about the place.
 */
export type PageAnswer = (headAt: HeadOf | undefined) => Answer;

/** Answers with the page at any of its places. */
export function pageAnswer(ctx: ServiceContext, { page, viewAt }: PageParts): PageAnswer {
  const template = pageTemplate(page, ctx.settings.instanceName);
  const needsCode = () => ctx.restrictions?.latest.accessCode !== undefined;
  const make = (view: View, isCodeNeeded: boolean) => {
    const info = instanceInfo(ctx, view);
    const own = { ...view.own, ...(isCodeNeeded && { access_code: true }) };
    const text = renderPage(template, info, own);
    const headers = { ...PAGE_HEADERS, 'Content-Security-Policy': view.policy };
    const etag = etagOf(Buffer.from(JSON.stringify([headers, text])));
    return { view, isCodeNeeded, info: JSON.stringify(info), text, headers, etag };
  };
  let latest = make(viewAt(null), needsCode());
  const current = (request: Request) => {
    const view = viewAt(request.headers.get('host'));
    const isCodeNeeded = needsCode();
    if (view !== latest.view || isCodeNeeded !== latest.isCodeNeeded) {
      latest = make(view, isCodeNeeded);
    }
    return latest;
  };
  const plain: Answer = (request) => {
    const { info, text, headers, etag } = current(request);
    if (prefersJson(request.headers.get('accept'))) {
      return new Response(info, { headers: INFO_HEADERS });
    }
    return answer(request, { body: pageAt(text, rawPath(request.url)), etag }, headers);
  };
  return (headAt) => {
    if (headAt === undefined) return plain;
    return async (request, caller, params = {}) => {
      const isPage = !prefersJson(request.headers.get('accept'));
      const head = isPage ? await headAt(params, webUrlAt(ctx, request)) : undefined;
      if (head === undefined || head === 'late') {
        if (FEED.test(rawPath(request.url))) throw missing(head);
        return plain(request, caller, params);
      }
      if ('text' in head) return documentAnswer(request, head);
      const { view, text, headers } = current(request);
      const { instanceName } = ctx.settings;
      const body = withHead(pageAt(text, rawPath(request.url)), head, { view, instanceName });
      return answer(request, { body, etag: etagOf(Buffer.from(body)) }, headers);
    };
  };
}

/** Answers with a document if there is one at an address, otherwise like a place that there is not. */
export function documentsAnswer(ctx: ServiceContext, documentAt: HeadOf): Answer {
  return async (request, _caller, params = {}) => {
    const found = await documentAt(params, webUrlAt(ctx, request));
    if (found === undefined || found === 'late' || !('text' in found)) throw missing(found);
    return documentAnswer(request, found);
  };
}

/** Says that there is no document, unless that could not be found out. */
function missing(found: Awaited<ReturnType<HeadOf>>): Error {
  return found === 'late' ? new Error('the database did not answer in time') : new NotFoundError();
}

function documentAnswer(request: Request, { contentType, text }: PlaceDocument): Response {
  const headers = {
    ...fileHeaders(contentType, REVALIDATED),
    'Content-Security-Policy': PASSIVE_POLICY,
  };
  return answer(request, { body: text, etag: etagOf(Buffer.from(text)) }, headers);
}

/** The address of the web client, without a slash at its end: the public one, or that by which it was asked. */
function webUrlAt({ settings: { publicUrl } }: ServiceContext, request: Request): string {
  if (publicUrl !== undefined) return publicUrl.replace(/\/+$/, '');
  const host = hostIn(request.headers.get('host'))?.host;
  return host === undefined ? '' : `http://${host}`;
}

/** Answers with the manifest of the installable client. */
export function manifestAnswer(ctx: ServiceContext, manifest: Manifest, viewAt: ViewAt): Answer {
  const text = renderManifest(manifest, instanceInfo(ctx, viewAt(null)));
  const etag = etagOf(Buffer.from(text));
  const headers = {
    ...fileHeaders('application/manifest+json', REVALIDATED),
    'Content-Security-Policy': PASSIVE_POLICY,
  };
  const body = new Blob([text]);
  return (request) => answer(request, { body, etag }, headers);
}

/** Answers with a file as it is, compressed if the client accepts that. */
export function fileAnswer(file: SiteFile, viewAt: ViewAt): Answer {
  const { contentType, plain, encoded } = file;
  const isScript = contentType.startsWith('text/javascript');
  const headers = {
    ...fileHeaders(contentType, file.isImmutable ? IMMUTABLE : REVALIDATED),
    ...(encoded.length === 0 ? {} : { Vary: 'Accept-Encoding' }),
  };
  return (request) => {
    const accepted = request.headers.get('accept-encoding');
    const chosen = encoded.find(({ encoding }) => acceptsEncoding(accepted, encoding));
    // A worker obeys the policy that came with its script.
    const policy = isScript ? viewAt(request.headers.get('host')).policy : PASSIVE_POLICY;
    return answer(request, chosen ?? plain, {
      ...headers,
      'Content-Security-Policy': policy,
      ...(chosen === undefined ? {} : { 'Content-Encoding': chosen.encoding }),
    });
  };
}

function fileHeaders(contentType: string, caching: string): HeaderValues {
  return { ...FILE_HEADERS, 'Cache-Control': caching, 'Content-Type': contentType };
}

/** A variant, or a text. */
type Content = Pick<Variant, 'etag'> & { readonly body: Blob | string };

/** The content, or a 304 if the client already has it. */
function answer(request: Request, { body, etag }: Content, headers: HeaderValues): Response {
  const tagged = { ...headers, ETag: etag };
  return matchesAny(request.headers.get('if-none-match'), etag)
    ? new Response(null, { status: 304, headers: tagged })
    : new Response(body, { headers: tagged });
}
