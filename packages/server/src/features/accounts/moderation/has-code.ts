import type { Guest, Account } from '../../../actor.ts';
import type { Context } from '../../../context.ts';
import type { InForce } from '../../../restrictions.ts';

/** Whether a client may enter: no code is needed, or it has the right one. Throws RateLimitedError after too many wrong ones. */
export async function hasCode(
  { restrictions: { guesses } }: Context,
  { address, accessCode: given }: Guest | Account,
  { accessCode }: InForce,
): Promise<boolean> {
  if (accessCode === undefined) return true;
  if (given === undefined) return false;
  return guesses.isRight(address, () => accessCode.isSame(given));
}

/** The same of a guest that was admitted before. Nothing is counted, as a code that was right may have changed. */
export function isInvited(
  { accessCode: given }: Guest | Account,
  { accessCode }: InForce,
): boolean {
  return accessCode === undefined || accessCode.isSame(given ?? '');
}
