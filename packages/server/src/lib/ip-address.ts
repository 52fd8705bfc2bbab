import ipaddr from 'ipaddr.js';

export type IpAddress = ipaddr.IPv4 | ipaddr.IPv6;

/** The addresses that begin with the same `length` bits as `address`. */
export interface Network {
  readonly address: IpAddress;
  readonly length: number;
}

/** The address that `text` is; undefined if it is none. An IPv4 address mapped into IPv6 is returned as IPv4. */
export function parseAddress(text: string): IpAddress | undefined {
  const address = read(text);
  return address !== undefined && isMapped(address) ? address.toIPv4Address() : address;
}

/**
 * The CIDR range that `text` is, or the range of a single address; undefined if it is neither. A range of mapped IPv4
 * addresses alone is returned as IPv4.
 */
export function parseNetwork(text: string): Network | undefined {
  const [, given = '', digits] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(text) ?? [];
  const address = read(given);
  if (address === undefined) return undefined;
  const most = address instanceof ipaddr.IPv4 ? 32 : 128;
  const length = digits === undefined ? most : Number(digits);
  if (length > most) return undefined;
  return isMapped(address) && length >= MAPPED_LENGTH
    ? { address: address.toIPv4Address(), length: length - MAPPED_LENGTH }
    : { address, length };
}

export function contains({ address: network, length }: Network, address: IpAddress): boolean {
  if (network instanceof ipaddr.IPv4) {
    return address instanceof ipaddr.IPv4 && address.match(network, length);
  }
  return address instanceof ipaddr.IPv6 && address.match(network, length);
}

/** Returns whether an address is an IPv4 address in the form of IPv6. */
export function isMapped(address: IpAddress): address is ipaddr.IPv6 {
  return address instanceof ipaddr.IPv6 && address.isIPv4MappedAddress();
}

/** The number of bits that mapped addresses share. */
const MAPPED_LENGTH = 96;

// For IPv4, the library also accepts 127.1 and 0x7f.0.0.1, which other programs read as other addresses.
function read(text: string): IpAddress | undefined {
  if (text.includes(':')) return ipaddr.IPv6.isValid(text) ? ipaddr.IPv6.parse(text) : undefined;
  return ipaddr.IPv4.isValidFourPartDecimal(text) ? ipaddr.IPv4.parse(text) : undefined;
}
