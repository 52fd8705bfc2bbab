import {
  channelSightOf,
  compareIds,
  firstMark,
  ForbiddenError,
  userStream,
  type Id,
  type ReadState,
} from '@hearth/protocol';
import type { Account } from '../../../actor.ts';
import {
  accessTo,
  requireStillMember,
  selectLastIds,
  type AccessContext,
} from '../../communities/structure/structure.ts';
import { moveMarks, selectReadStates } from './store.ts';

/**
 * Marks all channels of a community that the caller sees as read. Returns the read states that have changed. Throws
 * NotFoundError if the caller may not know that the community exists, and ForbiddenError if they are not a member.
 */
export async function markCommunity(
  ctx: AccessContext,
  actor: Account,
  { community_id: communityId }: { readonly community_id: Id },
): Promise<readonly ReadState[]> {
  const access = await accessTo(ctx, actor, communityId);
  const { member, viewer, community } = access;
  if (member === undefined) throw new ForbiddenError({ code: 'not_member' });
  const { reader } = ctx.database;
  const userId = actor.user_id;
  const stored = await selectReadStates(reader, [userId], communityId);
  const marks = new Map(stored.map(({ channelId, lastReadId }) => [channelId, lastReadId]));
  const lastIds = await selectLastIds(reader, [communityId]);
  const first = firstMark(member.joinedAtMs);
  const unread = [...community.channelById.values()].flatMap((channel) => {
    const { id: channelId } = channel;
    const lastId = lastIds.get(channelId);
    if (lastId === undefined || compareIds(lastId, marks.get(channelId) ?? first) <= 0) return [];
    if (!channelSightOf(viewer, community, channel.levels).reads) return [];
    return [{ userId, communityId, channelId, lastReadId: lastId }];
  });
  if (unread.length === 0) return [];
  return await ctx.database.transaction(async (tx) => {
    await requireStillMember(tx, member);
    const moved = await moveMarks(tx.sql, unread);
    const states = unread
      .filter(({ channelId }) => moved.has(channelId))
      .map(({ channelId: id, lastReadId }) => ({
        channel_id: id,
        last_read_id: lastReadId,
        mentions: 0,
      }));
    if (states.length === 0) return [];
    const stream = userStream(userId);
    const d = { community_id: communityId, read_states: states };
    await tx.emit({ stream, event: { op: 'READ_UPDATE_MANY', d } }, { subject: stream });
    return states;
  });
}
