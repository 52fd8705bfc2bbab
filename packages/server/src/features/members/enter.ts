import { userStream, type Id, type OwnCommunity } from '@hearth/protocol';
import type { EmittingTransaction } from '../../ports/outbox/outbox.ts';
import type { CommunityContext } from '../communities/community-context.ts';
import { findOwnCommunity } from '../communities/find-own-community.ts';
import { countMember } from '../communities/lock-community.ts';
import { dropRequest } from '../join-requests/drop-request.ts';
import { addMember } from './add-member.ts';
import { replaceRoles } from './member-roles-store.ts';

/** Who enters which community. */
interface Entering {
  readonly communityId: Id;
  readonly userId: Id;
  /** The roles of somebody who is not a member yet. */
  readonly roleIds?: readonly Id[];
}

/**
 * Makes somebody a member of a community that is locked, if they are none yet, and sends their clients the community. Whether
 * they may is up to the caller. Throws ConflictError for one community too many, and UnauthorizedError for an account that
 * cannot be used any more.
 */
export async function enter(
  tx: EmittingTransaction,
  ctx: Pick<CommunityContext, 'clock'>,
  { communityId, userId, roleIds = [] }: Entering,
): Promise<OwnCommunity> {
  const nowMs = ctx.clock.unixMs();
  const isNew = await addMember(tx, { communityId, userId, nowMs });
  if (isNew) {
    await countMember(tx, communityId, 1);
    await replaceRoles(tx.sql, { communityId, userId, roleIds });
  }
  const actor = { kind: 'user', user_id: userId } as const;
  const community = await findOwnCommunity(tx.sql, ctx, { actor, id: communityId });
  if (!isNew) return community;
  await dropRequest(tx, { communityId, userId });
  const stream = userStream(userId);
  await tx.emit({ stream, event: { op: 'COMMUNITY_CREATE', d: community } }, { subject: stream });
  return community;
}
