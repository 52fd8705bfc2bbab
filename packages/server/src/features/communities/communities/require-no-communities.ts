import { ConflictError, type Id } from '@hearth/protocol';
import type { Transaction } from '../../../ports/database/database.ts';
import { lockUser } from '../../accounts/users/users.ts';
import { selectOwned } from '../structure/structure.ts';

/** The number of communities that the error names. */
const MOST_NAMED = 10;

/**
 * Throws ConflictError, which names them, if somebody owns communities. Locks the account, which may be about to end, so
 * that nobody hands over another one to them until the transaction ends.
 */
export async function requireNoCommunities(tx: Transaction, userId: Id): Promise<void> {
  await lockUser(tx.sql, userId);
  const owned = await selectOwned(tx.sql, userId, MOST_NAMED);
  if (owned.length === 0) return;
  const names = owned.map(({ name, slug }) => `${name} (${slug})`).join(', ');
  throw new ConflictError({ code: 'owns_communities', field_name: 'communities' }, { names });
}
