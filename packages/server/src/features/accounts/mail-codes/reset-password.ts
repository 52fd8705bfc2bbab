import { MAIL_CODE_MS, ValidationError, type PasswordReset } from '@hearth/protocol';
import type { Actor } from '../../../actor.ts';
import type { Context } from '../../../context.ts';
import { folded } from '../../../lib/skeleton.ts';
import { typedCodeHash } from '../../../lib/typed-code.ts';
import type { EmittingTransaction } from '../../../ports/outbox/outbox.ts';
import {
  fromAddress,
  welcomeNetwork,
  type KeepsGuesses,
  type Outcome,
} from '../../platform/guesses/guesses.ts';
import { addNotice } from '../../platform/mail/mail.ts';
import { addressHintOf, endAllSessions } from '../sessions/sessions.ts';
import {
  announceOwnUser,
  lockAccount,
  requireUncommonPassword,
  updateEmail,
  updatePassword,
  type KeepsPasswords,
} from '../users/users.ts';
import { WRONG_CODE } from './code-limits.ts';
import {
  voidMailCodes,
  selectMailCode,
  takeMailCode,
  type CodeKey,
  type MailCode,
} from './store.ts';

type Nothing = Record<never, never>;

/**
 * Gives an account a new password, and ends all its sessions. The second factor stays. Throws ValidationError for `code` and
 * `password`, and RateLimitedError.
 */
export async function resetPassword(
  ctx: Context & KeepsGuesses & KeepsPasswords,
  actor: Actor,
  { code, password }: PasswordReset & { readonly code: string },
): Promise<Nothing> {
  await requireUncommonPassword(password);
  const key = { hash: typedCodeHash(code), purpose: 'reset' } as const;
  const address = 'address' in actor ? actor.address : '';
  return await ctx.guesses.attempt<Nothing>([fromAddress(address)], async () => {
    const found = await selectMailCode(ctx.database.reader, { ...key, sinceMs: sinceOf(ctx) });
    // A hash costs much, so it is made only for those who have a code.
    if (found === undefined) return wrong();
    const passwordHash = await ctx.passwords.hash(password);
    return await ctx.database.transaction((tx) =>
      reset(tx, ctx, {
        found,
        passwordHash,
        key: { ...key, sinceMs: sinceOf(ctx) },
        network: addressHintOf(actor),
      }),
    );
  });
}

interface Reset {
  readonly found: MailCode;
  readonly key: CodeKey;
  readonly passwordHash: string;
  readonly network: string;
}

async function reset(
  tx: EmittingTransaction,
  ctx: Pick<Context, 'clock' | 'settings' | 'mailer'>,
  { found: { user_id: userId, email_key: emailKey }, key, passwordHash, network }: Reset,
): Promise<Outcome<Nothing>> {
  const nowMs = ctx.clock.unixMs();
  const { state, email, email_verified_at_ms: verifiedAtMs } = await lockAccount(tx, userId);
  const taken = await takeMailCode(tx.sql, { ...key, userId });
  if (taken === undefined || state !== 'active' || folded(email) !== emailKey) return wrong();
  await updatePassword(tx.sql, userId, passwordHash);
  // The person who redeems the code reads the mail of this address.
  if (verifiedAtMs === 0) await updateEmail(tx.sql, userId, { email, verifiedAtMs: nowMs });
  await voidMailCodes(tx.sql, userId);
  const person = await lockAccount(tx, userId);
  // Before its clients lose their connections: one that comes back with another session goes on from there.
  await announceOwnUser(tx, ctx, person);
  await endAllSessions(tx, userId, { nowMs });
  // Otherwise strangers who guess could keep the person from using the new password.
  if (network !== '') await welcomeNetwork(tx.sql, { userId, network }, nowMs);
  await addNotice(tx, ctx, { person, notice: { kind: 'passwordChanged' } });
  return { state: 'right', result: {} };
}

function sinceOf({ clock }: Pick<Context, 'clock'>): number {
  return clock.unixMs() - MAIL_CODE_MS;
}

function wrong(): Outcome<never> {
  return { state: 'wrong', error: new ValidationError('code', WRONG_CODE) };
}
