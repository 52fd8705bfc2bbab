import ipaddr from 'ipaddr.js';

/**
 * Whether an address is one of the public internet: not of this machine or its networks, and none that leads to such an
 * address by translation or tunnels. False for text that is no address.
 */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  // An IPv4 address that IPv6 wraps is judged as what it is.
  return ipaddr.process(address).range() === 'unicast';
}
