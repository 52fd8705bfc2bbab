import type { Id } from '@hearth/protocol';
import type { Transaction } from '../../ports/database/database.ts';
import { takeRoleFromAll } from './store.ts';

/**
 * Takes a role that is about to be removed from all members. Memberships that are remembered may still name it, which gives
 * them nothing.
 */
export async function dropRole({ sql }: Transaction, roleId: Id): Promise<void> {
  await takeRoleFromAll(sql, roleId);
}
