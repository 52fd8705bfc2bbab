import type { ServiceContext } from '../../context.ts';
import type { Answer } from '../../http/caller.ts';
import { rawPath } from '../../http/path.ts';
import { JSON_HEADERS, type HeaderValues } from '../../http/respond.ts';
import { matchesAny } from '../../http/serve-content.ts';
import { wishFor } from '../../lib/accept.ts';
import { instanceInfo, pageAt, pageTemplate, renderManifest, renderPage } from './page.ts';
import { etagOf, type Manifest, type SiteFile, type Variant } from './site.ts';
import type { View, ViewAt } from './view.ts';

/** Returns whether an Accept header asks for JSON rather than for a page (RFC 9110, 12.5.1). */
export function prefersJson(accept: string | null): boolean {
  if (accept === null) return false;
  const json = wishFor(accept, ['*/*', 'application/*', 'application/json']);
  const page = wishFor(accept, ['*/*', 'text/*', 'text/html']);
  const isEqual = json.quality > 0 && json.quality === page.quality;
  return isEqual ? json.precision > page.precision : json.quality > page.quality;
}

/** Returns whether an Accept-Encoding header allows content with this encoding (RFC 9110, 12.5.3). */
export function acceptsEncoding(header: string | null, encoding: string): boolean {
  return header !== null && wishFor(header, ['*', encoding]).quality > 0;
}

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

/** The policy of what is neither page nor script, and has nothing to load or to run. */
const PASSIVE_POLICY = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'";

/** The parts of pages. */
export interface PageParts {
  readonly page: string;
  readonly viewAt: ViewAt;
}

/** The page as it is sent to a host, except for its base. */
export interface HostPage {
  readonly view: View;
  readonly isCodeNeeded: boolean;
  /** The instance information as JSON. */
  readonly info: string;
  readonly text: string;
  readonly headers: HeaderValues;
  readonly etag: string;
}

/** Returns the page for the host of a request. */
export type PageFor = (request: Request) => HostPage;

/** Makes the page for each host once, as long as its view is kept. */
export function pagesByHost(ctx: ServiceContext, { page, viewAt }: PageParts): PageFor {
  const template = pageTemplate(page, ctx.settings.instanceName);
  const pages = new WeakMap<View, HostPage>();
  const make = (view: View, isCodeNeeded: boolean): HostPage => {
    const info = instanceInfo(ctx, view);
    const own = { ...view.own, ...(isCodeNeeded && { access_code: true }) };
    const text = renderPage(template, info, own);
    const headers = { ...PAGE_HEADERS, 'Content-Security-Policy': view.policy };
    const etag = etagOf(Buffer.from(JSON.stringify([headers, text])));
    return { view, isCodeNeeded, info: JSON.stringify(info), text, headers, etag };
  };
  return (request) => {
    const view = viewAt(request.headers.get('host'));
    const isCodeNeeded = ctx.restrictions?.latest.accessCode !== undefined;
    const known = pages.get(view);
    if (known?.isCodeNeeded === isCodeNeeded) return known;
    const made = make(view, isCodeNeeded);
    pages.set(view, made);
    return made;
  };
}

/** Answers with the page at any of its places, or with its instance information if a client prefers JSON. */
export function pageAnswer(pageFor: PageFor): Answer {
  return (request) => {
    const { info, text, headers, etag } = pageFor(request);
    if (prefersJson(request.headers.get('accept'))) {
      return new Response(info, { headers: INFO_HEADERS });
    }
    return answer(request, { body: () => pageAt(text, rawPath(request.url)), etag }, headers);
  };
}

/** The headers of a document for programs. */
export function documentHeaders(contentType: string): HeaderValues {
  return { ...fileHeaders(contentType, REVALIDATED), 'Content-Security-Policy': PASSIVE_POLICY };
}

export function manifestAnswer(ctx: ServiceContext, manifest: Manifest, viewAt: ViewAt): Answer {
  const text = renderManifest(manifest, instanceInfo(ctx, viewAt(null)));
  const etag = etagOf(Buffer.from(text));
  const headers = documentHeaders('application/manifest+json');
  const body = new Blob([text]);
  return (request) => answer(request, { body: () => body, etag }, headers);
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
    const { body, etag } = chosen ?? plain;
    return answer(
      request,
      { body: () => body, etag },
      {
        ...headers,
        'Content-Security-Policy': policy,
        ...(chosen === undefined ? {} : { 'Content-Encoding': chosen.encoding }),
      },
    );
  };
}

function fileHeaders(contentType: string, caching: string): HeaderValues {
  return { ...FILE_HEADERS, 'Cache-Control': caching, 'Content-Type': contentType };
}

/** The body to send, unless the client has it already. */
interface Content extends Pick<Variant, 'etag'> {
  readonly body: () => Blob | string;
}

/** The content, or a 304 if the client already has it. */
export function answer(request: Request, { body, etag }: Content, headers: HeaderValues): Response {
  const tagged = { ...headers, ETag: etag };
  return matchesAny(request.headers.get('if-none-match'), etag)
    ? new Response(null, { status: 304, headers: tagged })
    : new Response(body(), { headers: tagged });
}
