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
  return guesses.isRight(address, () => accessCode.isSame(given));
}
