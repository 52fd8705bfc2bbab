import { communityStream, NotFoundError, userStream, type Id } from '@hearth/protocol';
import { countMember } from '../communities/lock-community.ts';
import type { EmittingTransaction } from '../../ports/outbox/outbox.ts';
import { memberKey } from './known-members.ts';
import { deleteMember } from './store.ts';

/** How a membership ended. */
export type EndReason = 'left' | 'kicked' | 'banned' | 'deleted';

/**
 * Ends a membership in a community that is locked: no stream of the community is sent to the user from that place on. Throws
 * NotFoundError if the user is not a member.
 */
export async function endMembership(
  tx: EmittingTransaction,
  {
    communityId,
    userId,
    reason,
  }: { readonly communityId: Id; readonly userId: Id; readonly reason: EndReason },
): Promise<void> {
  if (!(await deleteMember(tx.sql, communityId, userId))) throw new NotFoundError();
  await countMember(tx, communityId, -1);
  tx.changed('members', memberKey(communityId, userId));
  const stream = communityStream(communityId);
  await tx.emit({ stream, end: { user: userId } }, { subject: stream });
  const own = userStream(userId);
  const d = { community_id: communityId, reason };
  await tx.emit({ stream: own, event: { op: 'MEMBER_LEAVE', d } }, { subject: own });
}
