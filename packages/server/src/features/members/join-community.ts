import {
  ForbiddenError,
  NotFoundError,
  userStream,
  type Id,
  type OwnCommunity,
} from '@hearth/protocol';
import type { User } from '../../actor.ts';
import type { EmittingTransaction } from '../../ports/outbox/outbox.ts';
import { accessTo } from '../communities/access.ts';
import type { CommunityContext } from '../communities/community-context.ts';
import { findOwnCommunity } from '../communities/find-own-community.ts';
import { countMember, lockCommunity } from '../communities/lock-community.ts';
import { requireEntry } from '../moderation/require-entry.ts';
import { addMember } from './add-member.ts';

/**
 * Makes the caller a member of a community that everybody may join; a member already is answered the same. Throws
 * NotFoundError if the caller may not know that it exists, ForbiddenError if it cannot be joined like this, and
 * ConflictError for one community too many.
 */
export async function joinCommunity(
  ctx: CommunityContext,
  actor: User,
  { community_id: id }: { readonly community_id: Id },
): Promise<OwnCommunity> {
  await requireEntry(ctx, actor);
  const { member } = await accessTo(ctx, actor, id);
  if (member !== undefined) return await findOwnCommunity(ctx.database.reader, ctx, { actor, id });
  return await ctx.database.transaction(async (tx) => {
    const community = await lockCommunity(tx, id);
    if (community === undefined || community.visibility === 'private') throw new NotFoundError();
    if (community.join !== 'open') throw new ForbiddenError({ code: 'join_closed' });
    return await enter(tx, ctx, { actor, id });
  });
}

/** Makes somebody a member of a community that is locked, and sends their clients the community. */
export async function enter(
  tx: EmittingTransaction,
  ctx: CommunityContext,
  { actor, id }: { readonly actor: User; readonly id: Id },
): Promise<OwnCommunity> {
  const nowMs = ctx.clock.unixMs();
  const isNew = await addMember(tx, { communityId: id, userId: actor.user_id, nowMs });
  if (isNew) await countMember(tx, id, 1);
  const community = await findOwnCommunity(tx.sql, ctx, { actor, id });
  if (isNew) {
    const stream = userStream(actor.user_id);
    await tx.emit({ stream, event: { op: 'COMMUNITY_CREATE', d: community } }, { subject: stream });
  }
  return community;
}
