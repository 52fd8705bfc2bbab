import { RateLimitedError } from '@hearth/protocol';
import type { Guest } from '../../actor.ts';
import type { Context } from '../../context.ts';
import type { InForce } from '../../restrictions.ts';

/** Whether a guest may enter: no code is needed, or it has the right one. Throws RateLimitedError after too many wrong ones. */
export async function hasCode(
  { restrictions: { guesses } }: Context,
  { address, accessCode: given }: Guest,
  { accessCode }: InForce,
): Promise<boolean> {
  if (accessCode === undefined) return true;
  if (given === undefined) return false;
  const waitMs = guesses.waitMs(address);
  if (waitMs > 0) throw new RateLimitedError(waitMs);
  if (accessCode.isSame(given)) return true;
  await guesses.count(address);
  return false;
}
