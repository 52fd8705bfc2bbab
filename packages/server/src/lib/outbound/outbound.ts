import http, { type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import https from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { abortable } from './abortable.ts';
import { OutboundError } from './outbound-error.ts';
import { isPublicAddress } from './public-address.ts';

/** A request to an address that somebody named. */
export interface OutboundRequest {
  readonly method?: 'GET' | 'HEAD' | 'POST';
  /** Not for other hosts, to which the request is redirected. */
  readonly headers?: Readonly<Record<string, string>>;
  /** For all hosts. */
  readonly publicHeaders?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  /** The largest body of an answer, which may depend on what the answer begins with. */
  readonly mostBytes: number | ((head: OutboundHead) => number);
  /** The treatment of a larger body: an error, or read so far only; the former unless it is given. */
  readonly largerBody?: 'refused' | 'cut';
  /** For everything: names, redirects and the whole answer. */
  readonly timeoutMs: number;
  /** The number of redirects that are followed; none unless it is given. Only for requests without a body. */
  readonly mostRedirects?: number;
  readonly signal?: AbortSignal | undefined;
}

/** The beginning of an answer, whatever its status. */
export interface OutboundHead {
  /** The address that answered, after redirects. */
  readonly url: URL;
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
}

export interface OutboundAnswer extends OutboundHead {
  readonly body: Uint8Array;
}

/** Requests an address that a user, a bot or another instance named. Throws OutboundError. */
export type Outbound = (url: string | URL, request: OutboundRequest) => Promise<OutboundAnswer>;

export interface OutboundOptions {
  /** All addresses of a name. */
  readonly resolve: (name: string) => Promise<readonly string[]>;
  /** For tests. */
  readonly mayReach?: (address: string) => boolean;
}

/** An answer 101 is none, because no request asks for another protocol. */
const NO_ANSWER = 'the server changes to another protocol';

/** Answers such as 100 and 103 before the answer. Each takes time, and a server can send hundreds of thousands in a second. */
const MOST_INTERIM = 16;

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/**
 * The only way to addresses that others named. A name is resolved once, and the connection goes to that address, so that
 * the name cannot lead elsewhere a moment later. If any of its addresses is not public, it is refused. Redirects are
 * checked in the same way, and carry no headers to another host.
 */
export function openOutbound(options: OutboundOptions): Outbound {
  return async (url, request) => {
    const timeout = AbortSignal.timeout(request.timeoutMs);
    const signal = AbortSignal.any([timeout, ...(request.signal ? [request.signal] : [])]);
    try {
      return await follow(urlOf(url), { ...request, signal }, options);
    } catch (cause) {
      request.signal?.throwIfAborted();
      if (timeout.aborted) throw new OutboundError('timeout', 'it took too long', { cause });
      if (cause instanceof OutboundError) throw cause;
      throw new OutboundError('unreachable', 'it cannot be reached', { cause });
    }
  };
}

type Signalled = OutboundRequest & { readonly signal: AbortSignal };

async function follow(
  first: URL,
  request: Signalled,
  options: OutboundOptions,
): Promise<OutboundAnswer> {
  let url = first;
  for (let redirects = 0; ; redirects += 1) {
    const { mostRedirects = 0, headers: own, publicHeaders, ...rest } = request;
    const isSameOrigin = url.origin === first.origin;
    const headers = { ...publicHeaders, ...(isSameOrigin ? own : {}) };
    const answer = await ask(url, { ...rest, headers }, options);
    const { location } = answer.headers;
    const isRedirect = REDIRECTS.has(answer.status) && location !== undefined;
    if (!isRedirect || mostRedirects === 0) return answer;
    if (redirects === mostRedirects) {
      throw new OutboundError('too_many_redirects', 'it redirects too often');
    }
    url = urlOf(location, url);
  }
}

async function ask(
  url: URL,
  { method = 'GET', headers, body, signal, ...request }: Signalled,
  { resolve, mayReach = isPublicAddress }: OutboundOptions,
): Promise<OutboundAnswer> {
  const name = url.hostname.replace(/^\[(.*)\]$/, '$1');
  const addresses = isIP(name) === 0 ? await abortable(resolve(name), signal) : [name];
  const [address] = addresses;
  if (address === undefined) throw new OutboundError('unreachable', 'the name has no address');
  if (!addresses.every(mayReach)) throw new OutboundError('refused', 'the address is not public');
  const { promise, resolve: answered, reject } = Promise.withResolvers<IncomingMessage>();
  const { request: open } = url.protocol === 'https:' ? https : http;
  const asked = open(
    url,
    {
      method,
      headers: { ...headers },
      agent: false,
      signal,
      lookup: pinned(address),
    },
    answered,
  );
  asked.on('error', reject);
  // No other event follows it.
  asked.on('upgrade', () => reject(new OutboundError('unreachable', NO_ANSWER)));
  let interim = 0;
  asked.on('information', () => {
    interim += 1;
    if (interim > MOST_INTERIM)
      reject(new OutboundError('unreachable', 'too many interim answers'));
  });
  asked.on('close', () => reject(new Error('the connection ended before the answer')));
  asked.end(body);
  try {
    const message = await abortable(promise, signal);
    const head = { url, status: message.statusCode ?? 0, headers: message.headers };
    if (head.status < 200) throw new OutboundError('unreachable', NO_ANSWER);
    // An answer whose end is that of the connection would end with the signal, too.
    return { ...head, body: await abortable(readBody(message, head, request), signal) };
  } finally {
    asked.destroy();
  }
}

async function readBody(
  message: IncomingMessage,
  head: OutboundHead,
  { mostBytes, largerBody = 'refused' }: Pick<OutboundRequest, 'mostBytes' | 'largerBody'>,
): Promise<Uint8Array> {
  const most = typeof mostBytes === 'number' ? mostBytes : mostBytes(head);
  const isRefused = largerBody === 'refused';
  const announced = Number(message.headers['content-length'] ?? 0);
  const chunks: Uint8Array[] = [];
  let bytes = isRefused && announced > most ? announced : 0;
  if (bytes <= most && (isRefused || most > 0)) {
    for await (const chunk of message) {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes > most) break;
    }
  }
  if (isRefused && bytes > most) throw new OutboundError('too_large', 'the answer is too large');
  return Buffer.concat(chunks).subarray(0, most);
}

/** Leads every name to this address. */
function pinned(address: string): LookupFunction {
  const family = isIP(address);
  return (_name, { all }, callback) => {
    if (all === true) callback(null, [{ address, family }]);
    else callback(null, address, family);
  };
}

function urlOf(text: string | URL, base?: URL): URL {
  const url = URL.parse(text, base);
  if (url === null) throw new OutboundError('refused', 'it is no address');
  const isHttp = url.protocol === 'https:' || url.protocol === 'http:';
  if (!isHttp)
    throw new OutboundError('refused', 'the address must begin with https:// or http://');
  if (url.username !== '' || url.password !== '') {
    throw new OutboundError('refused', 'the address must not contain a name or password');
  }
  return url;
}
