import type { Id } from '@hearth/protocol';
import type { Context } from '../../../context.ts';
import type { EmittingTransaction } from '../../../ports/outbox/outbox.ts';
import { announceOwnUser } from './announce-own-user.ts';
import { announcePerson, type HasPersonAnnouncers } from './announce-person.ts';
import { holdAccount, selectUser, updateUser } from './store.ts';

/** Takes an upload that is about to be removed out of the profile of its user. */
export async function clearPictures(
  tx: EmittingTransaction,
  ctx: Pick<Context, 'settings'> & HasPersonAnnouncers,
  { userId, id }: { readonly userId: Id; readonly id: Id },
): Promise<void> {
  const user = await holdAccount(tx.sql, userId);
  const uses = (['avatar', 'banner'] as const).filter((use) => user?.[use] === id);
  if (user === undefined || uses.length === 0) return;
  await updateUser(tx.sql, userId, Object.fromEntries(uses.map((use) => [use, ''])));
  tx.changed('users', userId);
  const changed = await selectUser(tx.sql, userId);
  if (changed?.state !== 'active') return;
  await announceOwnUser(tx, ctx, changed);
  await announcePerson(tx, ctx, { before: user, after: changed });
}
