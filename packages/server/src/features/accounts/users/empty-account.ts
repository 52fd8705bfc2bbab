import type { Id } from '@hearth/protocol';
import type { Context } from '../../../context.ts';
import type { EmittingTransaction } from '../../../ports/outbox/outbox.ts';
import { announcePerson, type HasPersonAnnouncers } from './announce-person.ts';
import { giveUpNames } from './names/store.ts';
import { emptyUser, lockUser, selectUser } from './store.ts';
import type { UsersTable } from './tables.ts';

/** The time in milliseconds for which nobody else can take a name that was given up. */
const NAME_KEPT_MS = 365 * 86_400_000;

/**
 * Empties an account of everything but its id and when it was made, and gives up its name, which is free after a year; at once
 * if the account was never approved. Returns it as it was; undefined if there is none, or if it has been deleted.
 */
export async function emptyAccount(
  tx: EmittingTransaction,
  ctx: Pick<Context, 'clock'> & HasPersonAnnouncers,
  id: Id,
): Promise<UsersTable | undefined> {
  const user = await lockUser(tx.sql, id);
  if (user === undefined || user.state === 'deleted') return undefined;
  await emptyUser(tx.sql, id);
  const emptied = await selectUser(tx.sql, id);
  if (emptied !== undefined) await announcePerson(tx, ctx, { before: user, after: emptied });
  tx.changed('users', id);
  const nowMs = ctx.clock.unixMs();
  const freeAtMs = user.state === 'pending' ? nowMs : nowMs + NAME_KEPT_MS;
  for (const skeleton of await giveUpNames(tx.sql, id, freeAtMs)) tx.changed('names', skeleton);
  return user;
}
