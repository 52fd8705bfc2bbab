import {
  MethodNotAllowedError,
  ProtocolError,
  RATE_LIMIT_HEADERS,
  RangeNotSatisfiableError,
  ServerError,
  UnauthorizedError,
  UpgradeRequiredError,
} from '@hearth/protocol';

export type HeaderValues = Readonly<Record<string, string>>;

const EXPOSED = [
  ...Object.values(RATE_LIMIT_HEADERS),
  'Accept-Ranges',
  'Allow',
  'Content-Disposition',
  'Content-Length',
  'Content-Range',
  'ETag',
  'Retry-After',
];

/** On every answer: any web page may read it, whatever its origin, and no browser guesses its type. */
export const COMMON_HEADERS: HeaderValues = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers': EXPOSED.join(', '),
  'X-Content-Type-Options': 'nosniff',
};

/** Returns a header that makes further headers of an answer readable for web pages on other origins. */
export function exposing(names: readonly string[]): HeaderValues {
  return { 'Access-Control-Expose-Headers': [...EXPOSED, ...names].join(', ') };
}

/** On every answer in JSON. */
export const JSON_HEADERS: HeaderValues = {
  ...COMMON_HEADERS,
  'Content-Type': 'application/json',
  'Cache-Control': 'no-store',
};

/** The Cache-Control of an answer that never changes. */
export const IMMUTABLE = 'public, max-age=31536000, immutable';

/** The headers of an answer that never changes and that only those may see who know its address. */
export const SECRET: HeaderValues = {
  'Cache-Control': 'private, max-age=31536000, immutable',
  'Referrer-Policy': 'no-referrer',
};

/** A party that may keep an answer: anybody on its way, only the client that asked for it, or nobody. */
export type Keeper = 'anybody' | 'client' | 'nobody';

/** The headers with which an answer in JSON may be kept. */
export const KEEPING: Readonly<Record<Keeper, HeaderValues>> = {
  anybody: { 'Cache-Control': IMMUTABLE },
  client: SECRET,
  nobody: {},
};

const PREFLIGHT_MAX_AGE_SECONDS = 86_400;

export function json(body: unknown, headers?: HeaderValues, status = 200): Response {
  return new Response(JSON.stringify(body), {
    status,
    headers: headers === undefined ? JSON_HEADERS : { ...JSON_HEADERS, ...headers },
  });
}

/** The answer to a preflight request of a web page on another origin, for a path that has these methods. */
export function preflight(request: Request, methods: readonly string[]): Response {
  return new Response(null, {
    status: 204,
    headers: {
      ...COMMON_HEADERS,
      'Access-Control-Allow-Methods': methods.join(', '),
      'Access-Control-Allow-Headers': request.headers.get('access-control-request-headers') ?? '*',
      'Access-Control-Max-Age': String(PREFLIGHT_MAX_AGE_SECONDS),
    },
  });
}

/**
 * The only renderer of errors: turns anything into the documented envelope. An unknown error becomes a 500 that names
 * only `operation`.
 */
export function renderError(
  error: unknown,
  operation: string,
  headers: HeaderValues = {},
): Response {
  const known = error instanceof ProtocolError ? error : new ServerError(operation);
  return json(known.toEnvelope(), { ...headers, ...headersOf(known) }, known.status);
}

function headersOf(error: ProtocolError): HeaderValues {
  if (error instanceof MethodNotAllowedError) return { Allow: error.allow.join(', ') };
  if (error instanceof RangeNotSatisfiableError) {
    return { 'Content-Range': `bytes */${error.sizeBytes}` };
  }
  if (error instanceof UnauthorizedError) return { 'WWW-Authenticate': 'Bearer' };
  if (error instanceof UpgradeRequiredError) return { Upgrade: 'websocket' };
  const retryAfterMs = error.data?.['retry_after'];
  if (typeof retryAfterMs !== 'number') return {};
  return { 'Retry-After': String(Math.ceil(retryAfterMs / 1000)) };
}
