import type { Context } from '../../../context.ts';
import type { ConnectionRules } from '../../../gateway-host.ts';
import { hasCode, isInvited, lasting } from './require-admission.ts';

/** Keeps clients that are banned, or lack the access code, from being connected to a gateway. */
export function connectionRules(ctx: Context): ConnectionRules {
  const { restrictions } = ctx;
  return {
    async refusalOf(guest) {
      const inForce = await restrictions.current();
      if (inForce.isNothing) return undefined;
      if (lasting(ctx, inForce.bansOf(guest.address)) !== undefined) return 'banned';
      return (await hasCode(ctx, guest, inForce)) ? undefined : 'access_code';
    },
    expulsionOf(guest) {
      const inForce = restrictions.latest;
      if (inForce.isNothing) return undefined;
      if (lasting(ctx, inForce.bansOf(guest.address)) !== undefined) return 'banned';
      return isInvited(guest, inForce) ? undefined : 'access_code';
    },
    banOf: ({ address }) => lasting(ctx, restrictions.latest.bansOf(address)),
    onChange: (listener) => restrictions.onChange(() => listener()),
  };
}
