import type { Actor } from '../../../actor.ts';

/** The network of an actor, so that a user may recognise it. Empty if it is not known. */
export function addressHintOf(actor: Actor): string {
  return 'address' in actor ? networkOf(actor.address) : '';
}

/** The network of an address: three quarters of an IPv4 address, or half of an IPv6 one. Empty for anything else. */
export function networkOf(address: string): string {
  // The address that requests of IPv6 clients count for is a network already.
  if (address.includes(':')) return address;
  const [, network] = /^(\d+\.\d+\.\d+)\.\d+$/.exec(address) ?? [];
  return network === undefined ? '' : `${network}.0/24`;
}
