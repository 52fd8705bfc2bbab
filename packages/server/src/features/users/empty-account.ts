import type { Id } from '@hearth/protocol';
import type { Transaction } from '../../ports/database/database.ts';
import { emptyUser } from './emptied-store.ts';
import { lockUser } from './store.ts';
import { giveUpNames } from './names/store.ts';

/** How long nobody else can take a name that was given up, in milliseconds. */
const NAME_KEPT_MS = 365 * 86_400_000;

/**
 * Empties an account of everything but its id and when it was made, and gives up its name, which is free after a year; at once
 * if the account was never approved. False if there is none, or if it has been deleted.
 */
export async function emptyAccount(tx: Transaction, id: Id, nowMs: number): Promise<boolean> {
  const user = await lockUser(tx.sql, id);
  if (user === undefined || user.state === 'deleted') return false;
  await emptyUser(tx.sql, id);
  tx.changed('users', id);
  const freeAtMs = user.state === 'pending' ? nowMs : nowMs + NAME_KEPT_MS;
  for (const skeleton of await giveUpNames(tx.sql, id, freeAtMs)) tx.changed('names', skeleton);
  return true;
}
