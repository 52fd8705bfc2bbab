import { ConflictError, NotFoundError } from '@hearth/protocol';
import type { Reader } from '../../ports/database/database.ts';
import { selectManagedUsers, type ManagedUser } from './store.ts';

/**
 * The account with this id or name. Throws NotFoundError, and ConflictError if one account has it as its id and another one as
 * its name: digits alone can be a name, and nobody's account is changed because somebody else has chosen such a name.
 */
export async function findManagedUser(db: Reader, idOrName: string): Promise<ManagedUser> {
  const [found, other] = await selectManagedUsers(db, idOrName.trim().toLowerCase());
  if (found === undefined) throw new NotFoundError();
  if (other === undefined) return found;
  const error = `it is the id of one account and the name of another: ${found.id} is ${found.username}, and ${other.id} is ${other.username}`;
  throw new ConflictError({ code: 'taken', field_name: 'user', error });
}
