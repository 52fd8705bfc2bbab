import { clientKey } from '../client-range.ts';
import { contains, parseAddress, parseNetwork } from '../lib/ip-address.ts';

/** Returns the client that a request of `peer` counts for: its address, or the first 64 bits of an IPv6 address. */
export type ClientResolver = (request: Pick<Request, 'headers'>, peer: string) => string;

const PROXY_HEADERS = ['cf-connecting-ip', 'x-real-ip'] as const;

/**
 * Resolves clients. `trustedProxies` are addresses and CIDR ranges (each checked to be one) whose forwarding headers
 * are believed, in the order CF-Connecting-IP, X-Real-IP, X-Forwarded-For. Of the last one, the rightmost entry that
 * is not itself a trusted proxy counts. A header without an address is skipped.
 */
export function clientResolver(trustedProxies: readonly string[]): ClientResolver {
  if (trustedProxies.length === 0) return (_request, peer) => clientKey(peer);
  const networks = trustedProxies.flatMap((text) => parseNetwork(text) ?? []);
  const isTrusted = (address: string) => {
    const parsed = parseAddress(address);
    return parsed !== undefined && networks.some((network) => contains(network, parsed));
  };
  return ({ headers }, peer) => {
    if (!isTrusted(peer)) return clientKey(peer);
    for (const name of PROXY_HEADERS) {
      const address = addressIn(headers.get(name) ?? '');
      if (address !== undefined) return clientKey(address);
    }
    return clientKey(forwardedFor(headers.get('x-forwarded-for') ?? '', isTrusted) ?? peer);
  };
}

function forwardedFor(header: string, isTrusted: (address: string) => boolean): string | undefined {
  let leftmost: string | undefined;
  for (const entry of header.split(',').toReversed()) {
    const address = addressIn(entry);
    // An unreadable entry ends the chain: nothing to its left can be trusted.
    if (address === undefined) return leftmost;
    leftmost = address;
    if (!isTrusted(address)) return address;
  }
  return leftmost;
}

// Some proxies add the port: 192.0.2.1:443, [2001:db8::1]:443.
function addressIn(entry: string): string | undefined {
  const trimmed = entry.trim();
  const bracketed = /^\[([^\]]+)\](?::\d+)?$/.exec(trimmed)?.[1];
  const withPort = /^([\d.]+):\d+$/.exec(trimmed)?.[1];
  const address = bracketed ?? withPort ?? trimmed;
  return parseAddress(address) === undefined ? undefined : address;
}
