import type { Id } from '@hearth/protocol';
import type { Transaction } from '../../ports/database/database.ts';
import { lockUser } from './store.ts';

/** Locks an account until the transaction ends; false if it cannot be used. */
export async function holdActiveUser({ sql }: Transaction, id: Id): Promise<boolean> {
  return (await lockUser(sql, id))?.state === 'active';
}
