import type { InstanceInfo } from '@hearth/protocol';

/** Where an instance's services are. */
export interface Addresses {
  readonly rest: string;
  readonly files: string;
  readonly gateway: string;
}

/** The addresses that `info` tells, as they are used. Throws TypeError where one of them is none. */
export function addressesOf(info: InstanceInfo): Addresses {
  return {
    rest: baseUrl(info.oprish_url),
    files: baseUrl(info.effis_url),
    gateway: gatewayUrl(info.pandemonium_url),
  };
}

/**
 * `text` as an http(s) address without a slash at its end, query or fragment; a bare `host:port` is one of http. Throws
 * TypeError where it is none.
 */
export function baseUrl(text: string | URL): string {
  const url = new URL(addressOf(String(text).trim(), 'http'));
  url.search = '';
  url.hash = '';
  return url.href.replace(/\/+$/, '');
}

/** `text` as an address for a WebSocket, not every one of which takes http for ws. */
function gatewayUrl(text: string): string {
  return addressOf(text.trim().replace(/^http(?=s?:)/i, 'ws'), 'ws');
}

/** `given` with `scheme` before it where it has none. Throws TypeError where it is no address of that kind. */
function addressOf(given: string, scheme: 'http' | 'ws'): string {
  const text = /^[a-z][a-z0-9+.-]*:\/\//i.test(given) ? given : `${scheme}://${given}`;
  const { protocol } = URL.canParse(text) ? new URL(text) : { protocol: '' };
  if (protocol === `${scheme}:` || protocol === `${scheme}s:`) return text;
  throw new TypeError(`This is no ${scheme} or ${scheme}s address: "${given}"`);
}

/** `base` with `segments` behind its path, each encoded as a whole. */
export function under(base: string, ...segments: readonly string[]): string {
  return [base.replace(/\/+$/, ''), ...segments.map(encodeURIComponent)].join('/');
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
