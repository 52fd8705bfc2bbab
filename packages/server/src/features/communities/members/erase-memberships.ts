import {
  holdWriting,
  lockEvenDeleted,
  readCommunity,
  selectMember,
  selectMemberships,
} from '../structure/structure.ts';
import type { Context } from '../../../context.ts';
import type { EraseContent } from '../../accounts/erasure/erasure.ts';
import { endMembership, type HasMembershipEnders } from './end-membership.ts';

/** Ends the memberships of a deleted account. */
export const eraseMemberships: EraseContent<Context & HasMembershipEnders> = async (
  ctx,
  { userId, signal },
) => {
  for (const { communityId } of await selectMemberships(ctx.database.reader, userId)) {
    signal.throwIfAborted();
    await ctx.database.transaction(async (tx) => {
      await lockEvenDeleted(tx, communityId);
      const community = await readCommunity(tx.sql, communityId);
      const member = await selectMember(tx.sql, communityId, userId);
      if (community === undefined || member === undefined) return;
      await holdWriting(tx, communityId);
      await endMembership(tx, ctx, { community, member, reason: 'deleted' });
    });
  }
};
