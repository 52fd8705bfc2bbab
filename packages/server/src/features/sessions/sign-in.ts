import type { SignedIn, SignIn } from '@hearth/protocol';
import type { Actor } from '../../actor.ts';
import type { AccountContext } from '../users/account-context.ts';
import { describeOwnUser } from '../users/describe-user.ts';
import { requirePassword } from '../users/require-password.ts';
import { addressHintOf } from './address-hint.ts';
import { beginSession, prepareSession } from './begin-session.ts';

/** Signs in. Throws UnauthorizedError. */
export async function signIn(
  ctx: AccountContext,
  actor: Actor,
  { client, ...given }: SignIn,
): Promise<SignedIn> {
  const user = await requirePassword(ctx, given);
  const addressHint = addressHintOf(actor);
  const prepared = await prepareSession(ctx, { userId: user.id, client, addressHint });
  const session = await ctx.database.transaction((tx) => beginSession(tx, prepared));
  return { user: describeOwnUser(user), token: prepared.token, session };
}
