import { isMapped, parseAddress, parseNetwork, type IpAddress } from './lib/ip-address.ts';

/** Clients whose addresses begin with the same bits. Of an IPv6 address only the first 64 bits count (LI7). */
export interface ClientRange {
  readonly family: 4 | 6;
  /** The number of bits that are the same. */
  readonly length: number;
  /** The 4 bytes of an IPv4 address, or the first 4 groups of an IPv6 address; bits after `length` are 0. */
  readonly groups: readonly number[];
}

const FAMILIES = {
  4: {
    /** The number of bits of an address that identify a client. */
    clientBits: 32,
    groupBits: 8,
    /** The length of the largest ranges that can be given. */
    leastLength: 8,
  },
  6: { clientBits: 64, groupBits: 16, leastLength: 16 },
} as const;

/** The key of the client at an address: an IPv4 address, even if IPv6 wraps it, or the /64 of an IPv6 address (LI7). */
export function clientKey(address: string): string {
  if (!address.includes(':')) return address;
  const parsed = parseAddress(address);
  return parsed === undefined ? address : formatClientRange(rangeOf(parsed));
}

/**
 * The clients of an address or a CIDR range. Undefined if `text` is neither, or if the range is larger than a /8 of
 * IPv4 or a /16 of IPv6.
 */
export function parseClientRange(text: string): ClientRange | undefined {
  const network = parseNetwork(text.trim());
  // Most of such a range is IPv6, but it looks like IPv4.
  if (network === undefined || isMapped(network.address)) return undefined;
  const range = rangeOf(network.address, network.length);
  return range.length < FAMILIES[range.family].leastLength ? undefined : range;
}

/**
 * The range as it is stored and listed: `192.0.2.7`, `192.0.2.0/24`, `2001:db8:0:0::/64`. That of a single client is
 * its key.
 */
export function formatClientRange(range: ClientRange): string {
  const { family, length, groups } = range;
  if (family === 6) return `${groups.map((group) => group.toString(16)).join(':')}::/${length}`;
  return isOneClient(range) ? groups.join('.') : `${groups.join('.')}/${length}`;
}

export function isOneClient({ family, length }: Pick<ClientRange, 'family' | 'length'>): boolean {
  return length === FAMILIES[family].clientBits;
}

/** The clients of `range` that share its first `length` bits. */
export function shortened({ family, groups }: ClientRange, length: number): ClientRange {
  const { groupBits } = FAMILIES[family];
  const begun = groups.map((group, at) => {
    const kept = Math.min(groupBits, Math.max(0, length - at * groupBits));
    return group & (-1 << (groupBits - kept));
  });
  return { family, length, groups: begun };
}

/** All ranges that can be given and include `range`, itself included. */
export function rangesAround(range: ClientRange): readonly ClientRange[] {
  const least = FAMILIES[range.family].leastLength;
  return Array.from({ length: range.length - least + 1 }, (_, more) =>
    shortened(range, least + more),
  );
}

function rangeOf(address: IpAddress, length = Infinity): ClientRange {
  const [family, groups] =
    'octets' in address
      ? ([4, address.octets] as const)
      : ([6, address.parts.slice(0, 4)] as const);
  const { clientBits } = FAMILIES[family];
  const client: ClientRange = { family, length: clientBits, groups };
  return length < clientBits ? shortened(client, length) : client;
}
