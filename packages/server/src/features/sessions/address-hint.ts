import type { Actor } from '../../actor.ts';

/**
 * The network of a client, so that its user may recognise it: three quarters of an IPv4 address, or half of an IPv6 one.
 * Empty if it is not known.
 */
export function addressHintOf(actor: Actor): string {
  if (!('address' in actor)) return '';
  const { address } = actor;
  // The address that requests of IPv6 clients count for is a network already.
  if (address.includes(':')) return address;
  const [, network] = /^(\d+\.\d+\.\d+)\.\d+$/.exec(address) ?? [];
  return network === undefined ? '' : `${network}.0/24`;
}
