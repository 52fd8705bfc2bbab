import type { InstanceInfo } from '@hearth/protocol';

const SCHEME = /^[a-z][a-z0-9+.-]*:\/\//i;

/** The addresses of an instance's services. */
export interface Addresses {
  readonly rest: string;
  readonly files: string;
  readonly gateway: string;
}

/** The addresses in `info`, normalised. Throws TypeError if one of them is not valid. */
export function addressesOf(info: InstanceInfo): Addresses {
  return {
    rest: baseUrl(info.oprish_url),
    files: baseUrl(info.effis_url),
    gateway: gatewayUrl(info.pandemonium_url),
  };
}

/**
 * `text` as an http(s) address without a slash at its end, query or fragment; a bare `host:port` means http. Throws
 * TypeError if it is not an address.
 */
export function baseUrl(text: string | URL): string {
  const url = new URL(addressOf(String(text).trim(), 'http'));
  url.search = '';
  url.hash = '';
  return url.href.replace(/\/+$/, '');
}

/**
 * The addresses that `text` may stand for, the likeliest first. If it has no scheme, a public name without a port is an
 * https address, or else an http address; everything else is an http address. Throws TypeError as `baseUrl` does.
 */
export function possibleUrls(text: string | URL): readonly string[] {
  const given = String(text).trim();
  const plain = baseUrl(given);
  if (SCHEME.test(given)) return [plain];
  const secure = baseUrl(`https://${given}`);
  const [http, https] = [new URL(plain), new URL(secure)];
  if (http.port === '443') return [secure];
  // Each address leaves out its own default port.
  const hasPort = http.port !== '' || https.port !== '';
  return hasPort || isLocal(http.hostname) ? [plain] : [secure, plain];
}

/** Returns whether only the machine itself reaches the host, or no address is meant by it at all. */
export function isLoopback(hostname: string): boolean {
  return /^(?:(?:.+\.)?localhost|127(?:\.\d+){3}|0\.0\.0\.0|\[::1?\])$/.test(hostname);
}

/** Returns whether the host has no public name, and so hardly a certificate. */
function isLocal(hostname: string): boolean {
  const isName = hostname.includes('.') && !/^[\d.]+$/.test(hostname);
  return !isName || /\.(?:localhost|local|lan|internal|home\.arpa)$/.test(hostname);
}

/** `text` as an address for WebSocket; not every WebSocket accepts http instead of ws. */
function gatewayUrl(text: string): string {
  return addressOf(text.trim().replace(/^http(?=s?:)/i, 'ws'), 'ws');
}

/** `given` with `scheme` added if it has none. Throws TypeError if it is not an address of that kind. */
function addressOf(given: string, scheme: 'http' | 'ws'): string {
  const text = SCHEME.test(given) ? given : `${scheme}://${given}`;
  const { protocol } = URL.canParse(text) ? new URL(text) : { protocol: '' };
  if (protocol === `${scheme}:` || protocol === `${scheme}s:`) return text;
  throw new TypeError(`Not a valid ${scheme} or ${scheme}s address: "${given}"`);
}

/** `url` with these parameters; undefined ones are left out. */
export function withQuery(
  url: string,
  query: Readonly<Record<string, string | number | boolean | undefined>>,
): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) parameters.set(name, String(value));
  }
  if (parameters.size === 0) return url;
  return `${url}${url.includes('?') ? '&' : '?'}${parameters.toString()}`;
}
