import type { Id } from '@hearth/protocol';
import type { Reader, Transaction } from '../../../ports/database/database.ts';
import { holdAccount, holdUsers, selectUser } from './store.ts';
import type { UsersTable } from './tables.ts';

export type UserNames = Pick<UsersTable, 'username' | 'display_name'>;

/** Keeps an account as it is until the transaction ends; undefined if it cannot be used. Others may refer to it meanwhile. */
export async function holdActiveUser(
  { sql }: Transaction,
  id: Id,
): Promise<(UserNames & Pick<UsersTable, 'created_at_ms'>) | undefined> {
  const user = await holdAccount(sql, id);
  return user?.state === 'active' ? user : undefined;
}

/** Holds several accounts. Returns those that can be used. */
export async function holdActiveUsers(
  tx: Transaction,
  ids: ReadonlySet<Id>,
): Promise<ReadonlyMap<Id, UserNames & Pick<UsersTable, 'created_at_ms'>>> {
  const users = await holdUsers(tx, ids);
  return new Map(users.flatMap((user) => (user.state === 'active' ? [[user.id, user]] : [])));
}

/** Holds an account that may be disabled or deleted. Rejects if there is none with this id. */
export async function holdUser({ sql }: Transaction, id: Id): Promise<UserNames> {
  const user = await holdAccount(sql, id);
  if (user === undefined) throw new Error('the account is not there');
  return user;
}

/** An account as a transaction finds it, without locking it; undefined if it cannot be used. */
export async function findActiveUser(
  db: Reader,
  id: Id,
): Promise<Pick<UsersTable, 'created_at_ms' | 'staff_permissions'> | undefined> {
  const user = await selectUser(db, id);
  return user?.state === 'active' ? user : undefined;
}

/** Resolves with whether an account can be used, as a transaction finds it. */
export async function isActiveUser(db: Reader, id: Id): Promise<boolean> {
  return (await findActiveUser(db, id)) !== undefined;
}
