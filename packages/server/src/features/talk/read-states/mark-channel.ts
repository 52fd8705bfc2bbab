import {
  compareIds,
  firstMark,
  userStream,
  type Id,
  type ReadMark,
  type ReadState,
} from '@hearth/protocol';
import type { Account } from '../../../actor.ts';
import type { EmittingTransaction } from '../../../ports/outbox/outbox.ts';
import { selectLastId } from '../../platform/turns/turns.ts';
import { countMentions } from '../mentions/mentions.ts';
import { asChannel, findOwnPlace, requireGuard, type PlacesContext } from '../places/places.ts';
import { deleteReadStates, moveMarks, selectMark, type StoredReadState } from './store.ts';

/**
 * Notes how far the caller has read a channel. An older mark is ignored, unless the channel is marked as unread. Throws
 * NotFoundError if the caller may not know that the channel exists, and ForbiddenError if they are not a member.
 */
export async function markChannel(
  ctx: PlacesContext,
  actor: Account,
  { channel_id: channelId, last_read_id: given, unread }: ReadMark & { readonly channel_id: Id },
): Promise<ReadState> {
  const { access, reader: known } = await findOwnPlace(ctx, actor, channelId);
  const { subjects, sinceMs } = known;
  const place = { userId: actor.user_id, communityId: access.place.communityId, channelId };
  const { reader } = ctx.database;
  const lastId = await selectLastId(reader, channelId);
  const stored = await selectMark(reader, place);
  const current = stored ?? firstMark(sinceMs);
  const mark = lastId === undefined || compareIds(given, lastId) < 0 ? given : lastId;
  const direction = lastId === undefined ? 0 : compareIds(mark, current);
  if (direction === 0 || (direction < 0 && unread !== true)) {
    const mentions = await countMentions(reader, { channelId, subjects, after: current });
    return { channel_id: channelId, last_read_id: current, mentions };
  }
  return await ctx.database.transaction(async (tx) => {
    await access.of.still(tx, ctx, { actor, access, requires: requireGuard });
    // Here, because a member opens a channel once only: so there are never many rows of channels that were deleted.
    const { community } = asChannel(access) ?? {};
    if (stored === undefined && community !== undefined)
      await deleteReadStates(tx.sql, place, [...community.channelById.keys()]);
    const state = { ...place, lastReadId: mark };
    const moved = await moveMarks(tx.sql, [state], { backToo: unread === true });
    // Another device was faster.
    const lastReadId = moved.size > 0 ? mark : ((await selectMark(tx.sql, place)) ?? mark);
    const mentions = await countMentions(tx.sql, { channelId, subjects, after: lastReadId });
    const shown = { channel_id: channelId, last_read_id: lastReadId, mentions };
    if (moved.size > 0) await announce(tx, state, shown);
    return shown;
  });
}

async function announce(
  tx: EmittingTransaction,
  { userId }: StoredReadState,
  d: ReadState,
): Promise<void> {
  const stream = userStream(userId);
  await tx.emit({ stream, event: { op: 'READ_UPDATE', d } }, { subject: stream });
}
