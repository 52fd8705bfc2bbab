import type { Id } from '@hearth/protocol';
import type { Transaction } from '../../ports/database/database.ts';
import { deleteOverwritesOf } from './store.ts';

/** Removes the overwrites of a role that is about to be removed. */
export async function dropOverwritesOf({ sql }: Transaction, roleId: Id): Promise<void> {
  await deleteOverwritesOf(sql, roleId);
}
