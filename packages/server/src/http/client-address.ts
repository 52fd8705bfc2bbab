import ipaddr from 'ipaddr.js';

type Range = [ipaddr.IPv4 | ipaddr.IPv6, number];

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
  const ranges = trustedProxies.map(parseRange);
  const isTrusted = (address: string) => {
    const parsed = parseAddress(address);
    return parsed !== undefined && ranges.some((range) => contains(range, parsed));
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

/** The key that limits count by: an IPv4 address, even if IPv6 wraps it, or the /64 of an IPv6 address. */
export function clientKey(address: string): string {
  if (!address.includes(':')) return address;
  const parsed = parseAddress(address);
  if (parsed === undefined) return address;
  if (parsed instanceof ipaddr.IPv4) return parsed.toString();
  return `${parsed.parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(':')}::/64`;
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

// For IPv4, only the four-part form counts as an address; the library would accept 0x7f.1 as well.
function parseAddress(address: string): ipaddr.IPv4 | ipaddr.IPv6 | undefined {
  const isAddress = address.includes(':')
    ? ipaddr.IPv6.isValid(address)
    : ipaddr.IPv4.isValidFourPartDecimal(address);
  return isAddress ? ipaddr.process(address) : undefined;
}

function parseRange(range: string): Range {
  if (range.includes('/')) return ipaddr.parseCIDR(range);
  const address = ipaddr.process(range);
  return [address, address.kind() === 'ipv4' ? 32 : 128];
}

function contains([network, bits]: Range, address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  if (network instanceof ipaddr.IPv4) {
    return address instanceof ipaddr.IPv4 && address.match(network, bits);
  }
  return address instanceof ipaddr.IPv6 && address.match(network, bits);
}
