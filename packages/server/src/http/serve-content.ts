import { RangeNotSatisfiableError } from '@hearth/protocol';
import { create } from 'content-disposition';
import type { ByteRange } from '../runtime/file-body.ts';
import { partBody, wholeBody, wholeBodyDespiteRange, type ContentSource } from './content-body.ts';
import { COMMON_HEADERS, IMMUTABLE, SECRET, type HeaderValues } from './respond.ts';

/** The facts that an answer reports about its content. */
export interface DescribedContent {
  readonly contentType: string;
  readonly name: string;
  /** Hex; the content's strong validator. */
  readonly sha256: string;
  readonly disposition: 'inline' | 'attachment';
  /** True if the address always means the same bytes. */
  readonly isImmutable: boolean;
  /** The secret that a request has to give to see it; undefined if it needs nothing. */
  readonly secret?: string | undefined;
  /** True if everyone sees it for now only. */
  readonly isRevocable?: boolean | undefined;
  /** The header of requests on which the bytes depend, beside the address. */
  readonly varyOn?: string | undefined;
}

export interface ServedContent extends DescribedContent {
  readonly source: ContentSource;
  readonly sizeBytes: number;
}

/** The answer to a conditional request. */
export type Delivery =
  | { readonly type: 'whole' }
  | { readonly type: 'part'; readonly range: ByteRange }
  | { readonly type: 'not-modified' };

const REVALIDATED = 'no-cache';

/** So long do caches answer for a content that everyone sees for now. */
const REVOCABLE = 'public, max-age=3600';

/**
 * An uploaded page may neither run scripts nor reach other hosts, in any place where it is opened. A browser that
 * opens a picture or a video makes its own page around it, which must be allowed to load what it shows.
 */
const CONTENT_SECURITY_POLICY =
  "default-src 'none'; img-src 'self'; media-src 'self'; style-src 'unsafe-inline'; sandbox";

const CONTENT_HEADERS: HeaderValues = {
  ...COMMON_HEADERS,
  'Accept-Ranges': 'bytes',
  'Content-Security-Policy': CONTENT_SECURITY_POLICY,
  'Cross-Origin-Resource-Policy': 'cross-origin',
};

/** Answers GET of a content that exists: whole, a part, or not modified. Throws RangeNotSatisfiableError. */
export function serveContent(
  request: Request,
  content: ServedContent,
  limits: HeaderValues,
): Response {
  const delivery = planDelivery(request.headers, content.sizeBytes, etagOf(content));
  if (delivery.type === 'not-modified') {
    return new Response(null, { status: 304, headers: { ...validators(content), ...limits } });
  }
  const described = { ...wholeContentHeaders(content), ...limits };
  if (delivery.type === 'whole') {
    const whole = request.headers.has('range')
      ? wholeBodyDespiteRange(content)
      : wholeBody(content);
    return new Response(whole.body, { headers: { ...described, ...whole.headers } });
  }
  const part = partBody(content, delivery.range);
  return new Response(part.body, { status: 206, headers: { ...described, ...part.headers } });
}

/** The headers of a whole content, without those about limits. */
export function wholeContentHeaders(content: DescribedContent): HeaderValues {
  return {
    ...validators(content),
    'Content-Type': content.contentType,
    'Content-Disposition': create(content.name, { type: content.disposition }),
  };
}

function validators(content: DescribedContent): HeaderValues {
  return {
    ...CONTENT_HEADERS,
    ETag: etagOf(content),
    ...caching(content),
    ...(content.varyOn === undefined ? {} : { Vary: content.varyOn }),
  };
}

function caching({ isImmutable, secret, isRevocable }: DescribedContent): HeaderValues {
  if (secret !== undefined) {
    return isImmutable ? SECRET : { ...SECRET, 'Cache-Control': `private, ${REVALIDATED}` };
  }
  if (!isImmutable) return { 'Cache-Control': REVALIDATED };
  return { 'Cache-Control': isRevocable === true ? REVOCABLE : IMMUTABLE };
}

function etagOf({ sha256 }: DescribedContent): string {
  return `"${sha256}"`;
}

/**
 * Decides by If-None-Match, If-Range and Range (RFC 9110). Throws RangeNotSatisfiableError. A request for several
 * ranges is answered with the whole.
 */
export function planDelivery(headers: Headers, sizeBytes: number, etag: string): Delivery {
  if (matchesAny(headers.get('if-none-match'), etag)) return { type: 'not-modified' };
  const ifRange = headers.get('if-range');
  if (ifRange !== null && ifRange.trim() !== etag) return { type: 'whole' };
  const range = parseRange(headers.get('range'), sizeBytes);
  return range === undefined ? { type: 'whole' } : { type: 'part', range };
}

/** Returns whether an If-None-Match header names `etag`. */
export function matchesAny(header: string | null, etag: string): boolean {
  if (header === null) return false;
  return header
    .split(',')
    .map((candidate) => candidate.trim().replace(/^W\//, ''))
    .some((candidate) => candidate === '*' || candidate === etag);
}

function parseRange(header: string | null, sizeBytes: number): ByteRange | undefined {
  // No blanks inside, as RFC 9110 requires: a pattern that allows for them takes minutes if there are thousands.
  const [, first, last] = /^bytes=(\d*)-(\d*)$/i.exec(header?.trim() ?? '') ?? [];
  if (first === undefined || last === undefined || (first === '' && last === '')) return undefined;
  const start = first === '' ? Math.max(0, sizeBytes - Number(last)) : Number(first);
  const end = first === '' || last === '' ? sizeBytes : Math.min(sizeBytes, Number(last) + 1);
  if (first !== '' && last !== '' && Number(last) < Number(first)) return undefined;
  if (start >= sizeBytes) throw new RangeNotSatisfiableError(sizeBytes);
  return { start, end };
}
