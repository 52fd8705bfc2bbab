import { ForbiddenError, UnauthorizedError, type SignedIn, type SignIn } from '@hearth/protocol';
import type { Actor } from '../../../actor.ts';
import type { Context } from '../../../context.ts';
import type { Counting } from '../../../counting.ts';
import type { KeepsGuesses, Outcome } from '../../platform/guesses/guesses.ts';
import { addNotice } from '../../platform/mail/mail.ts';
import { useFactorCode } from '../second-factor/second-factor.ts';
import {
  checkPassword,
  describeOwnUser,
  findAccount,
  lockAccount,
  type UsersTable,
  type KeepsPasswords,
} from '../users/users.ts';
import {
  beginSession,
  prepareSession,
  signInPlace,
  type KeepsTokens,
  type SignInPlace,
} from '../sessions/sessions.ts';

/** A sign-in that counts for the account if it is right, and for the address if it is wrong. */
type CountedSignIn = SignIn & { readonly counting?: Counting };

/**
 * Signs in with a password, and a code if the account has a second factor. Throws UnauthorizedError: the same one, after the
 * same work, if there is no such account and if the password is wrong. Throws ForbiddenError if the account waits for approval
 * or is disabled, and RateLimitedError after too many wrong guesses.
 */
export async function signIn(
  ctx: Context & KeepsGuesses & KeepsPasswords & KeepsTokens,
  actor: Actor,
  given: CountedSignIn,
): Promise<SignedIn> {
  const { username, email = '' } = given;
  const account = await findAccount(ctx, username === undefined ? { email } : { username });
  const name = (username ?? email).trim().toLowerCase();
  const place = await signInPlace(ctx, actor, { userId: account?.id, name });
  return await ctx.guesses.attempt(place.allowances, () => tried(ctx, given, { account, place }));
}

interface Attempt {
  readonly account: UsersTable | undefined;
  readonly place: SignInPlace;
}

async function tried(
  ctx: Context & KeepsPasswords & KeepsTokens,
  { password, code, client, counting }: CountedSignIn,
  { account, place: { network, isKnown } }: Attempt,
): Promise<Outcome<SignedIn>> {
  const passwordHash = await checkPassword(ctx, account, password);
  if (passwordHash === undefined || account === undefined) {
    return { state: 'wrong', error: new UnauthorizedError('credentials_wrong') };
  }
  const isWrongCode =
    account.state === 'active' &&
    account.totp_since_ms > 0 &&
    code !== undefined &&
    !(await useFactorCode(ctx, account.id, code));
  if (isWrongCode) return { state: 'wrong', error: new UnauthorizedError('factor_wrong') };
  const key = `account ${account.id}`;
  const needsCode = account.totp_since_ms > 0 && code === undefined;
  const isRight = account.state === 'active' && !needsCode;
  // Somebody else may know the password, too, and must not keep the person out.
  await (isRight ? counting?.forKey('auth', key) : counting?.forKeyHere('auth', key));
  if (account.state !== 'active') {
    const reason = account.state === 'pending' ? 'pending_approval' : 'account_disabled';
    return { state: 'open', error: new ForbiddenError({ code: reason }) };
  }
  if (needsCode) return { state: 'open', error: new UnauthorizedError('factor_required') };
  const prepared = await prepareSession(ctx, { userId: account.id, client, addressHint: network });
  return await ctx.database.transaction(async (tx): Promise<Outcome<SignedIn>> => {
    const person = await lockAccount(tx, account.id);
    const isFactorNew = person.totp_since_ms > 0 && account.totp_since_ms === 0;
    // What was compared may have changed meanwhile, for example because strangers know the password.
    if (person.password_hash !== passwordHash || person.state !== 'active' || isFactorNew) {
      return { state: 'open', error: new UnauthorizedError('credentials_wrong') };
    }
    if (!isKnown && network !== '' && wantsSignInMail(person)) {
      await addNotice(tx, ctx, { person, notice: { kind: 'signIn', network } });
    }
    const session = await beginSession(tx, prepared);
    const user = describeOwnUser(ctx, person);
    return { state: 'right', result: { user, token: prepared.token, session } };
  });
}

/** Unless the person has switched them off in their settings. */
function wantsSignInMail({ settings }: UsersTable): boolean {
  return (JSON.parse(settings) as { readonly sign_in_mail?: unknown }).sign_in_mail !== false;
}
