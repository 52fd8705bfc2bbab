import { ConflictError, type Id } from '@hearth/protocol';
import type { Context } from '../../../context.ts';
import { folded } from '../../../lib/skeleton.ts';
import type { Transaction } from '../../../ports/database/database.ts';
import { emailTaken } from './email-taken.ts';
import { insertUser, selectUser, type NewUser, type StoredUser } from './store.ts';
import { takeName } from './names/store.ts';

export interface PreparedAccount extends Omit<NewUser, 'emailKey' | 'createdAtMs'> {
  readonly id: Id;
  /** What its name looks like. */
  readonly skeleton: string;
}

/** Adds an account. Throws ConflictError for a name or address that is taken. */
export async function addAccount(
  tx: Transaction,
  { clock }: Pick<Context, 'clock'>,
  { skeleton, ...account }: PreparedAccount,
): Promise<StoredUser> {
  const { id, username, email } = account;
  const nowMs = clock.unixMs();
  const emailKey = email === '' ? null : folded(email);
  if (!(await insertUser(tx.sql, { ...account, emailKey, createdAtMs: nowMs }))) {
    throw emailTaken();
  }
  if (!(await takeName(tx, { skeleton, username, userId: id, nowMs }))) {
    throw new ConflictError({ code: 'taken', field_name: 'username' });
  }
  const stored = await selectUser(tx.sql, id);
  if (stored === undefined) throw new Error('the account is not there');
  return stored;
}
