import { ConflictError } from '@hearth/protocol';
import type { Context } from '../../../context.ts';
import { folded } from '../../../lib/skeleton.ts';
import type { Transaction } from '../../../ports/database/database.ts';
import { takeName } from './names/store.ts';
import { insertUser, selectUser, type NewUser } from './store.ts';
import type { UsersTable } from './tables.ts';

export interface PreparedAccount extends Omit<NewUser, 'email_key' | 'created_at_ms'> {
  /** The skeleton of its name. */
  readonly skeleton: string;
}

/** Adds an account. Throws ConflictError for a name or address that is taken. */
export async function addAccount(
  tx: Transaction,
  { clock }: Pick<Context, 'clock'>,
  { skeleton, ...account }: PreparedAccount,
): Promise<UsersTable> {
  const { id, username, email } = account;
  const nowMs = clock.unixMs();
  const emailKey = email === '' ? null : folded(email);
  const user = { ...account, email_key: emailKey, created_at_ms: nowMs };
  if (!(await insertUser(tx.sql, user))) throw emailTaken();
  if (!(await takeName(tx, { skeleton, username, userId: id, nowMs }))) {
    throw new ConflictError({ code: 'taken', field_name: 'username' });
  }
  const stored = await selectUser(tx.sql, id);
  if (stored === undefined) throw new Error('the account is not there');
  return stored;
}

/** Another account has the address. */
export function emailTaken(): ConflictError {
  return new ConflictError({ code: 'taken', field_name: 'email' });
}
