import {
  ConflictError,
  RECOVERY_CODES,
  ValidationError,
  type RecoveryCodes,
  type TotpSecret,
  type TotpSetup,
  type TotpSetupAnswer,
} from '@hearth/protocol';
import type { Account } from '../../../actor.ts';
import type { Context } from '../../../context.ts';
import { newTypedCode, typedCodeHash } from '../../../lib/typed-code.ts';
import { ofSession, type KeepsGuesses } from '../../platform/guesses/guesses.ts';
import { addNotice } from '../../platform/mail/mail.ts';
import { holdSession, recheckSessions } from '../sessions/sessions.ts';
import {
  announceOwnUser,
  lockAccount,
  lockProved,
  requireOwnPassword,
  updateUser,
  type KeepsPasswords,
} from '../users/users.ts';
import { confirmSecret, insertRecoveryCodes, selectTotp, upsertNewSecret } from './store.ts';
import { newTotpSecret, totpStep, totpUri } from './totp.ts';

/** 120 bits, so that a fast hash is enough (OWASP ASVS 5, 6.5.2). */
const PARTS = 6;

/**
 * Sets up a second factor in two steps: the password gives a secret for an app, and a code that the app makes of it puts it in
 * force and gives the recovery codes. Throws ValidationError, ConflictError if there is one, and RateLimitedError.
 */
export function setUpTotp(
  ctx: Context & KeepsGuesses & KeepsPasswords,
  actor: Account,
  { current_password: password, code = '' }: TotpSetup,
): Promise<TotpSetupAnswer> {
  return password === undefined ? confirm(ctx, actor, code) : begin(ctx, actor, password);
}

async function begin(
  ctx: Context & KeepsGuesses & KeepsPasswords,
  actor: Account,
  password: string,
): Promise<TotpSecret> {
  const proved = await requireOwnPassword(ctx, actor, password);
  const { id, username } = proved;
  const secret = newTotpSecret();
  const isBegun = await ctx.database.transaction(async (tx) => {
    await lockProved(tx, proved);
    return await upsertNewSecret(tx.sql, id, secret);
  });
  if (!isBegun) throw existing();
  return { secret, uri: totpUri(secret, { instanceName: ctx.settings.instanceName, username }) };
}

async function confirm(
  ctx: Context & KeepsGuesses,
  actor: Account,
  code: string,
): Promise<RecoveryCodes> {
  const { user_id: userId, credential } = actor;
  const totp = await selectTotp(ctx.database.reader, userId);
  const { secret = '', new_secret: newSecret = '' } = totp ?? {};
  if (secret !== '') throw existing();
  if (newSecret === '') throw new ValidationError('code', 'has no secret: send the password first');
  const step = await ctx.guesses.attempt([ofSession(credential.id)], async () => {
    const result = totpStep(newSecret, code.replaceAll(/\s/g, ''), ctx.clock.unixMs());
    if (result !== undefined) return { state: 'right', result };
    return { state: 'wrong', error: new ValidationError('code', 'is wrong') };
  });
  const codes = Array.from({ length: RECOVERY_CODES }, () => newTypedCode(PARTS));
  await ctx.database.transaction(async (tx) => {
    const person = await lockAccount(tx, userId);
    // It may have ended because strangers have it, who must not keep its person out.
    await holdSession(tx, actor);
    if (!(await confirmSecret(tx.sql, userId, { newSecret, step }))) throw existing();
    await insertRecoveryCodes(tx.sql, userId, codes.map(typedCodeHash));
    await updateUser(tx.sql, userId, { totp_since_ms: ctx.clock.unixMs() });
    await recheckSessions(tx, userId);
    await addNotice(tx, ctx, { person, notice: { kind: 'factorAdded' } });
    await announceOwnUser(tx, ctx, await lockAccount(tx, userId));
  });
  return { recovery_codes: codes };
}

function existing(): ConflictError {
  return new ConflictError({ code: 'taken', field_name: 'totp' });
}
