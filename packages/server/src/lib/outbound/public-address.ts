import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** The part of IPv6 in which IANA gives out addresses of the internet. All else is special or reserved. */
const UNICAST = ['2000::/3'];

/** Ranges within IPv4 and within UNICAST that lead to no single host of the internet. */
const SPECIAL = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/3',
  '2001::/23',
  '2001:db8::/32',
  '3fff::/20',
];

/** Ranges within SPECIAL that IANA calls globally reachable. */
const REACHABLE = [
  '192.0.0.9/32',
  '192.0.0.10/32',
  '2001:1::1/128',
  '2001:1::2/128',
  '2001:1::3/128',
  '2001:3::/32',
  '2001:4:112::/48',
  '2001:20::/28',
  '2001:30::/28',
];

/** Ranges of IPv6 whose addresses lead to the IPv4 address that begins at this byte of them. */
const EMBEDDING = [
  { range: '64:ff9b::/96', at: 12 },
  { range: '2002::/16', at: 2 },
];

/**
 * Checks whether an address is one of the public internet: not of this machine or its networks, and none that leads to such an
 * address by translation or tunnels. False for text that is no address. `docs/spec/cases/special-addresses.json` lists
 * what IANA says about each range.
 */
export function isPublicAddress(text: string): boolean {
  // A zone is one of this machine.
  if (isIP(text) === 0 || text.includes('%')) return false;
  // An IPv4 address that is mapped into IPv6 is judged as what it is.
  return isPublic(ipaddr.process(text));
}

type Address = ipaddr.IPv4 | ipaddr.IPv6;

function isPublic(address: Address): boolean {
  const embedding = EMBEDDING.find(({ range }) => isIn([range], address));
  if (embedding) return isPublic(embedded(address, embedding.at));
  if (address.kind() === 'ipv6' && !isIn(UNICAST, address)) return false;
  return !isIn(SPECIAL, address) || isIn(REACHABLE, address);
}

function embedded(address: Address, at: number): Address {
  return ipaddr.fromByteArray(address.toByteArray().slice(at, at + 4));
}

function isIn(ranges: readonly string[], address: Address): boolean {
  return ranges.some((range) => {
    const [first, length] = ipaddr.parseCIDR(range);
    return first.kind() === address.kind() && address.match(first, length);
  });
}
