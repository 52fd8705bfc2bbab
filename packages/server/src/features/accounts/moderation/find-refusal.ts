import type { DisconnectReason } from '@hearth/protocol';
import type { Guest } from '../../../actor.ts';
import type { Context } from '../../../context.ts';
import type { InForce, Term } from '../../../restrictions.ts';
import { hasCode, isInvited } from './has-code.ts';
import { lasting } from './require-admission.ts';

type Refusal = Extract<DisconnectReason, 'banned' | 'access_code'>;

/**
 * Why a guest may not connect to the gateway; undefined if it may. Throws RateLimitedError after too many wrong access
 * codes, and ServerError if the answer cannot be known.
 */
export async function findRefusal(ctx: Context, guest: Guest): Promise<Refusal | undefined> {
  const inForce = await ctx.restrictions.current();
  if (inForce.isNothing) return undefined;
  if (findBan(ctx, guest, inForce) !== undefined) return 'banned';
  return (await hasCode(ctx, guest, inForce)) ? undefined : 'access_code';
}

/** Why a guest that is connected may not stay; undefined if it may. */
export function findExpulsion(
  ctx: Pick<Context, 'clock'>,
  guest: Guest,
  inForce: InForce,
): Refusal | undefined {
  if (findBan(ctx, guest, inForce) !== undefined) return 'banned';
  return isInvited(guest, inForce) ? undefined : 'access_code';
}

/** The ban of a guest that has not ended. */
export function findBan(
  ctx: Pick<Context, 'clock'>,
  { address }: Pick<Guest, 'address'>,
  inForce: InForce,
): Term | undefined {
  return lasting(ctx, inForce.bansOf(address));
}
