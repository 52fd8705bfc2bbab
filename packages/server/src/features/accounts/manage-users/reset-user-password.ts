import type { Actor } from '../../../actor.ts';
import type { Context } from '../../../context.ts';
import { randomLetters } from '../../../lib/random-letters.ts';
import { addNotice } from '../../platform/mail/mail.ts';
import { voidMailCodes } from '../mail-codes/mail-codes.ts';
import { forgetFactor } from '../second-factor/second-factor.ts';
import { endAllSessions } from '../sessions/sessions.ts';
import { lockAccount, updatePassword, type Passwords } from '../users/users.ts';
import { changeManagedUser, requireState, type ManagingContext } from './change-managed-user.ts';
import type { ManagedUser } from './store.ts';

/** Somebody's account, and the password that it has from now on. */
export interface PasswordOfUser {
  readonly user: ManagedUser;
  readonly password: string;
}

/**
 * Gives an account a new random password, ends all its sessions, and removes its second factor if that is wanted. The person
 * is notified by mail. Throws ForbiddenError, NotFoundError, and ConflictError if the account is deleted.
 */
export async function resetUserPassword(
  ctx: ManagingContext & Pick<Context, 'mailer'> & { readonly passwords: Passwords },
  actor: Actor,
  { user: idOrName, removesFactor }: { readonly user: string; readonly removesFactor: boolean },
): Promise<PasswordOfUser> {
  const password = newPassword();
  const hash = await ctx.passwords.hash(password);
  const user = await changeManagedUser(ctx, actor, {
    user: idOrName,
    async work(tx, found) {
      requireState(found, { from: ['active', 'pending', 'disabled'] });
      await updatePassword(tx.sql, found.id, hash);
      await voidMailCodes(tx.sql, found.id);
      const hadFactor = removesFactor && (await forgetFactor(tx, found.id));
      await endAllSessions(tx, found.id, { nowMs: ctx.clock.unixMs() });
      const person = await lockAccount(tx, found.id);
      await addNotice(tx, ctx, { person, notice: { kind: 'passwordReset' } });
      if (hadFactor) await addNotice(tx, ctx, { person, notice: { kind: 'factorRemoved' } });
    },
  });
  return { user, password };
}

const PARTS = 4;
const LETTERS_A_PART = 5;

/** A password that nobody can guess (100 random bits) and that can be read out: `k7mwp-3xd9q-ht4ra-pq2ns`. */
export function newPassword(): string {
  return Array.from({ length: PARTS }, () => randomLetters(LETTERS_A_PART)).join('-');
}
