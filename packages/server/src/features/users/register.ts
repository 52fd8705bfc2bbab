import type { Registered, Registration } from '@hearth/protocol';
import type { Actor } from '../../actor.ts';
import { skeletonOf } from '../../lib/skeleton.ts';
import { addEmailCode } from '../mail-codes/add-email-code.ts';
import { admit, settleAdmission } from '../registration/admit.ts';
import { beginSession, prepareSession } from '../sessions/begin-session.ts';
import { addressHintOf } from '../sessions/address-hint.ts';
import type { AccountContext } from './account-context.ts';
import { addAccount } from './add-account.ts';
import { describeOwnUser } from './describe-user.ts';
import { requireUncommonPassword } from './require-uncommon-password.ts';

/**
 * Registers an account, and signs it in, unless the staff has to approve it. Throws the errors of {@link admit},
 * ValidationError for a common password, and ConflictError for a name or address that is taken.
 */
export async function register(
  ctx: AccountContext,
  actor: Actor,
  registration: Registration,
): Promise<Registered> {
  const { username, email, password, display_name: displayName = '' } = registration;
  const { client, language } = registration;
  const admission = await admit(ctx, actor, registration);
  await requireUncommonPassword(password);
  const { state, staffPermissions } = admission;
  const passwordHash = await ctx.passwords.hash(password);
  const skeleton = await skeletonOf(username);
  const id = await ctx.ids.next();
  const account = {
    id,
    username,
    skeleton,
    displayName,
    email,
    passwordHash,
    state,
    staffPermissions,
    settings: JSON.stringify({ language }),
  };
  const prepared = await prepareSession(ctx, {
    userId: id,
    client,
    addressHint: addressHintOf(actor),
  });
  return await ctx.database.transaction(async (tx) => {
    const user = describeOwnUser(ctx, await addAccount(tx, ctx, account));
    await settleAdmission(tx, ctx, { userId: id, admission });
    if (state === 'pending') return { user, pending: true };
    await addEmailCode(tx, ctx, { id });
    return { user, token: prepared.token, session: await beginSession(tx, prepared) };
  });
}
