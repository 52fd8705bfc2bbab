import type { Id } from '@hearth/protocol';
import type { Context } from '../../../context.ts';
import { typedCodeHash } from '../../../lib/typed-code.ts';
import { selectTotp, takeRecoveryCode, takeStep } from './store.ts';
import { latestTotpStep, totpStep } from './totp.ts';

/**
 * Resolves with whether this is a code of the account's app, or one of its recovery codes, that has not been used. It
 * is used up: of those who send it at the same time, one is right.
 */
export async function useFactorCode(
  { database, clock }: Pick<Context, 'database' | 'clock'>,
  userId: Id,
  code: string,
): Promise<boolean> {
  const digits = code.replaceAll(/\s/g, '');
  if (!/^\d{6}$/.test(digits)) {
    const hash = typedCodeHash(code);
    return await database.transaction(({ sql }) => takeRecoveryCode(sql, userId, hash));
  }
  const { secret = '' } = (await selectTotp(database.reader, userId)) ?? {};
  const nowMs = clock.unixMs();
  const step = secret === '' ? undefined : totpStep(secret, digits, nowMs);
  if (step === undefined) return false;
  const taken = { secret, step, latestStep: latestTotpStep(nowMs) };
  return await database.transaction(({ sql }) => takeStep(sql, userId, taken));
}
