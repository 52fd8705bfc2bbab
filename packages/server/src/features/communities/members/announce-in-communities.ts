import type { Id, User } from '@hearth/protocol';
import type { EmittingTransaction } from '../../../ports/outbox/outbox.ts';
import { selectCommunitiesOf } from '../structure/structure.ts';

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

/** Sends a changed person to those who watch their communities. */
export async function announceInCommunities(tx: EmittingTransaction, user: User): Promise<void> {
  const communities = await selectCommunitiesOf(tx.sql, user.id);
  if (communities.length === 0) return;
  const stream = `${PEOPLE}${user.id}`;
  const d: PersonNews = { user, communities };
  await tx.emit({ stream, event: { op: 'USER_UPDATE', d } }, { subject: stream });
}
