import type { User } from '@hearth/protocol';
import type { EmittingTransaction } from '../../../ports/outbox/outbox.ts';
import { describeUser } from './describe-user.ts';
import type { UsersTable } from './tables.ts';

/**
 * Sends what everyone sees of a person, which has changed, to those who are shown it by a feature. An account that has ended
 * still has what belongs to it, such as memberships.
 */
export type AnnouncePerson = (tx: EmittingTransaction, user: User) => Promise<void>;

export interface HasPersonAnnouncers {
  readonly personAnnouncers: readonly AnnouncePerson[];
}

/**
 * Sends what has changed of what everyone sees of a person to those who are shown it, if anything has. To be called in the
 * transaction of the change, with the account as it was and as it is.
 */
export async function announcePerson(
  tx: EmittingTransaction,
  { personAnnouncers }: HasPersonAnnouncers,
  { before, after }: { readonly before: UsersTable; readonly after: UsersTable },
): Promise<void> {
  const user = describeUser(after);
  if (seenOf(describeUser(before)) === seenOf(user)) return;
  for (const announce of personAnnouncers) await announce(tx, user);
}

function seenOf({ version: _version, ...seen }: User): string {
  return JSON.stringify(seen);
}
