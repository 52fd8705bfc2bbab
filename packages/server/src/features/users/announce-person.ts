import type { Id, User } from '@hearth/protocol';
import type { EmittingTransaction } from '../../ports/outbox/outbox.ts';
import { communitiesOf } from '../members/communities-of.ts';
import { describeUser } from './describe-user.ts';
import type { StoredUser } from './store.ts';

/** Begins the names of streams that gateways read and no client follows: what others learn of a person. */
const PEOPLE = 'p:';

/** A change of a person, and in which communities they are. */
export interface PersonNews {
  readonly user: User;
  readonly communities: readonly Id[];
}

/** Checks whether a stream is about a person and followed by no client. */
export function isOfPerson(stream: string): boolean {
  return stream.startsWith(PEOPLE);
}

/**
 * Sends those who watch the communities of a person what has changed of what everyone sees, if anything has. To be called in the
 * transaction of the change, with the account as it was and as it is. One that has ended still has its memberships.
 */
export async function announcePerson(
  tx: EmittingTransaction,
  before: StoredUser,
  after: StoredUser,
): Promise<void> {
  const user = describeUser(after);
  if (seenOf(describeUser(before)) === seenOf(user)) return;
  const communities = await communitiesOf(tx, after.id);
  if (communities.length === 0) return;
  const stream = `${PEOPLE}${after.id}`;
  const d: PersonNews = { user, communities };
  await tx.emit({ stream, event: { op: 'USER_UPDATE', d } }, { subject: stream });
}

function seenOf({ version: _version, ...seen }: User): string {
  return JSON.stringify(seen);
}
