import type { Context } from '../../../context.ts';
import type { Transaction } from '../../../ports/database/database.ts';
import { addNotice, addNoticeToAnyAddress, type Notice } from '../../platform/mail/mail.ts';
import type { UsersTable } from '../users/users.ts';
import { MOST_CODES } from './code-limits.ts';
import { insertMailCode, selectCodeTimes } from './store.ts';

/**
 * Lets a person know at the address of their account, which is locked, that another one replaces it. An address that was
 * never verified is notified too, because somebody who has taken over the account could otherwise move it unnoticed; as it may be a
 * stranger's, it gets as many of these mails in an hour as codes.
 */
export async function notifyOldAddress(
  tx: Transaction,
  ctx: Pick<Context, 'mailer' | 'settings' | 'clock'>,
  { account, notice }: { readonly account: UsersTable; readonly notice: Notice },
): Promise<void> {
  if (account.email_verified_at_ms > 0) return addNotice(tx, ctx, { person: account, notice });
  const nowMs = ctx.clock.unixMs();
  const key = { user_id: account.id, purpose: 'notice' } as const;
  const times = await selectCodeTimes(tx.sql, key, nowMs);
  if (times.length >= MOST_CODES) return;
  // No code has such a hash: the row only counts.
  await insertMailCode(tx.sql, {
    ...key,
    code_hash: `notice ${crypto.randomUUID()}`,
    email_key: '',
    created_at_ms: nowMs,
  });
  await addNoticeToAnyAddress(tx, ctx, { person: account, notice });
}
