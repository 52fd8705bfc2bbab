import type { Registered, Registration, Entered } from '@hearth/protocol';
import type { Actor } from '../../server/src/actor.ts';
import { register as registerOrWait } from '../../server/src/features/accounts/registration/register.ts';
import type { InstanceContext } from '../../server/src/instance-context.ts';

/** Registers an account that needs no approval. */
export async function register(
  ctx: InstanceContext,
  actor: Actor,
  registration: Registration,
): Promise<Entered> {
  return signedIn(await registerOrWait(ctx, actor, registration));
}

/** The answer to a registration that needed no approval. Throws if it did. */
export function signedIn(answer: Registered): Entered {
  if ('pending' in answer) throw new Error('the account waits for approval');
  return answer;
}
