import ipaddr from 'ipaddr.js';

/** Clients whose addresses begin with the same bits. Of an IPv6 address only the first 64 bits count. */
export interface ClientRange {
  readonly family: 4 | 6;
  /** How many bits are the same. */
  readonly length: number;
  /** The first 32 bits of an IPv4 address or 64 of an IPv6 address; those after `length` are 0. */
  readonly bits: bigint;
}

/** How many bits of an address identify a client. */
const CLIENT_BITS = { 4: 32, 6: 64 } as const;

/** The largest ranges that can be given. */
const LEAST_LENGTH = { 4: 8, 6: 16 } as const;

/**
 * The clients of an address or a CIDR range. Undefined if `text` is neither, or if the range is larger than a /8 of
 * IPv4 or a /16 of IPv6.
 */
export function parseRange(text: string): ClientRange | undefined {
  const [address = '', prefix, ...more] = text.trim().split('/');
  const parsed = parseAddress(address);
  if (parsed === undefined || more.length > 0) return undefined;
  const length = prefix === undefined ? parsed.mostBits : Number(prefix);
  if (prefix !== undefined && !/^\d{1,3}$/.test(prefix)) return undefined;
  const { family, mostBits, bits } = parsed;
  if (length < LEAST_LENGTH[family] || length > mostBits) return undefined;
  return rangeOf(family, Math.min(length, CLIENT_BITS[family]), bits);
}

/**
 * The range as it is stored and listed: `192.0.2.7`, `192.0.2.0/24`, `2001:db8:0:0::/64`. That of a single client is
 * also the key that limits count by.
 */
export function formatRange({ family, length, bits }: ClientRange): string {
  if (family === 4) {
    const bytes = [24n, 16n, 8n, 0n].map((shift) => Number((bits >> shift) & 0xffn));
    return length === CLIENT_BITS[4] ? bytes.join('.') : `${bytes.join('.')}/${length}`;
  }
  const parts = [48n, 32n, 16n, 0n].map((shift) => ((bits >> shift) & 0xffffn).toString(16));
  return `${parts.join(':')}::/${length}`;
}

/** Whether a range is that of a single client. */
export function isOneClient({ family, length }: Pick<ClientRange, 'family' | 'length'>): boolean {
  return length === CLIENT_BITS[family];
}

/** The clients of `range` that share its first `length` bits. */
export function shortened({ family, bits }: ClientRange, length: number): ClientRange {
  return rangeOf(family, length, bits);
}

function rangeOf(family: 4 | 6, length: number, bits: bigint): ClientRange {
  const rest = BigInt(CLIENT_BITS[family] - length);
  return { family, length, bits: (bits >> rest) << rest };
}

interface ParsedAddress {
  readonly family: 4 | 6;
  readonly mostBits: number;
  readonly bits: bigint;
}

// For IPv4, only the four-part form counts as an address; the library would accept 0x7f.1 as well.
function parseAddress(text: string): ParsedAddress | undefined {
  if (text.includes(':') ? !ipaddr.IPv6.isValid(text) : !ipaddr.IPv4.isValidFourPartDecimal(text)) {
    return undefined;
  }
  const address = ipaddr.process(text);
  const bytes = address.toByteArray();
  const toBits = (some: readonly number[]) =>
    some.reduce((bits, byte) => (bits << 8n) | BigInt(byte), 0n);
  return address instanceof ipaddr.IPv4
    ? { family: 4, mostBits: 32, bits: toBits(bytes) }
    : { family: 6, mostBits: 128, bits: toBits(bytes.slice(0, 8)) };
}
