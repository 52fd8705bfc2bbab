import { ForbiddenError, MAIL_CODE_MS, RateLimitedError, type Id } from '@hearth/protocol';
import type { Context } from '../../../context.ts';
import { selectCodeTimes } from './store.ts';

/** The number of codes for one purpose that an account gets in an hour. */
export const MOST_CODES = 5;

/** The problem with a code. It says no more, because that would help those who guess. */
export const WRONG_CODE = 'is wrong, has been used, or is older than an hour';

/** Throws ForbiddenError if the instance has no server for mail. */
export function requireMailer({ mailer }: Pick<Context, 'mailer'>): void {
  if (mailer === undefined) throw new ForbiddenError({ code: 'mail_unavailable' });
}

/** Throws RateLimitedError if an account has got as many codes as it may in an hour. */
export async function requireCodesLeft(
  { database, clock }: Pick<Context, 'database' | 'clock'>,
  userId: Id,
): Promise<void> {
  const nowMs = clock.unixMs();
  const key = { user_id: userId, purpose: 'verify' } as const;
  const times = await selectCodeTimes(database.reader, key, nowMs);
  const [oldest = nowMs] = times.slice(-MOST_CODES);
  if (times.length >= MOST_CODES) throw new RateLimitedError(oldest + MAIL_CODE_MS - nowMs);
}
