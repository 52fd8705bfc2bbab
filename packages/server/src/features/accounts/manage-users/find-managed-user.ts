import { ConflictError, NotFoundError, type Id } from '@hearth/protocol';
import type { Reader, Transaction } from '../../../ports/database/database.ts';
import { lockAccount } from '../users/users.ts';
import { selectManagedUser, selectManagedUsers, type ManagedUser } from './store.ts';

/**
 * The account with this id or name. Throws NotFoundError, and ConflictError if one account has it as its id and another one as
 * its name: digits alone can be a name, and nobody's account is changed because somebody else has chosen such a name.
 */
export async function findManagedUser(db: Reader, idOrName: string): Promise<ManagedUser> {
  const [found, other] = await selectManagedUsers(db, idOrName.trim().toLowerCase());
  if (found === undefined) throw new NotFoundError();
  if (other === undefined) return found;
  const accounts = `${found.id} is ${found.username}, and ${other.id} is ${other.username}`;
  throw new ConflictError({ code: 'taken', field_name: 'user' }, { accounts });
}

/** An account by its id, which no other transaction changes until the end of this one. Throws Error if there is none. */
export async function lockManagedUser(tx: Transaction, id: Id): Promise<ManagedUser> {
  await lockAccount(tx, id);
  return await selectManagedUser(tx.sql, id);
}
