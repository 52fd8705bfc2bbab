import type { Addresses } from '../../../server/src/context.ts';
import { addressesBelow } from '../../../server/src/config/component-addresses.ts';

const USUAL = {
  icon: undefined,
  accent: undefined,
  restPath: '/api',
  gatewayPath: '/gateway',
  filesPath: '/files',
};

/** The addresses of an instance's components at the port of its web client, which is at `web`. */
export function atWebPort(web: string): Addresses {
  return addressesBelow(web, { web: USUAL });
}
