import { ConflictError, ForbiddenError, type Registration, type SignedIn } from '@hearth/protocol';
import type { Actor } from '../../actor.ts';
import { folded, skeletonOf } from '../../lib/skeleton.ts';
import { beginSession, prepareSession } from '../sessions/begin-session.ts';
import { addressHintOf } from '../sessions/address-hint.ts';
import type { AccountContext } from './account-context.ts';
import { describeOwnUser } from './describe-user.ts';
import { insertUser, selectUser, takeName } from './store.ts';
import { NO_PERMISSIONS } from './no-permissions.ts';
import { requireUncommonPassword } from './require-uncommon-password.ts';

/**
 * Registers an account, and signs it in. Throws ForbiddenError, ValidationError for a common password, and ConflictError
 * for a name or address that is taken.
 */
export async function register(
  ctx: AccountContext,
  actor: Actor,
  { username, email, password, display_name: displayName = '', client }: Registration,
): Promise<SignedIn> {
  if (ctx.registration !== 'open') {
    throw new ForbiddenError({ code: 'registration_closed' });
  }
  await requireUncommonPassword(password);
  const passwordHash = await ctx.passwords.hash(password);
  const skeleton = await skeletonOf(username);
  const id = await ctx.ids.next();
  const nowMs = ctx.clock.unixMs();
  const addressHint = addressHintOf(actor);
  const prepared = await prepareSession(ctx, { userId: id, client, addressHint });
  return await ctx.database.transaction(async (tx) => {
    const user = { id, username, displayName, email, emailKey: folded(email), passwordHash };
    const rest = { state: 'active', staffPermissions: NO_PERMISSIONS, createdAtMs: nowMs } as const;
    if (!(await insertUser(tx.sql, { ...user, ...rest }))) {
      const error = 'is the address of another account';
      throw new ConflictError({ code: 'taken', field_name: 'email', error });
    }
    if (!(await takeName(tx, { skeleton, username, userId: id, nowMs }))) {
      const error = 'is taken, or looks like a name that is';
      throw new ConflictError({ code: 'taken', field_name: 'username', error });
    }
    const session = await beginSession(tx, prepared);
    const stored = await selectUser(tx.sql, id);
    if (stored === undefined) throw new Error('the account is not there');
    return { user: describeOwnUser(ctx, stored), token: prepared.token, session };
  });
}
