import { NotFoundError, type ChannelMessage, type Id } from '@hearth/protocol';
import { MOST_PINS } from '@hearth/protocol/schemas';
import type { Actor, Account } from '../../../actor.ts';
import { tooMany } from '../../../too-many.ts';
import { requireAdmission } from '../../accounts/moderation/moderation.ts';
import { completeMessages } from './complete-messages.ts';
import type { MessagePlace } from './list-messages.ts';
import { lockOne } from './react.ts';
import { countPinned, selectPinned } from './pin-store.ts';
import { updatePinned } from './store.ts';
import {
  beginRecord,
  emitIn,
  findPlace,
  nothingToDo,
  requireMessages,
  requireToDo,
  takeTurn,
  turningIn,
  waitingFor,
  type PlacesContext,
} from '../places/places.ts';
import type { MessagesContext } from './messages-context.ts';

/** The pinned messages of a channel, the one that was pinned last first. Throws NotFoundError and ValidationError. */
export async function listPins(
  ctx: PlacesContext & MessagesContext,
  actor: Actor,
  { channel_id: channelId }: { readonly channel_id: Id },
): Promise<readonly ChannelMessage[]> {
  requireMessages(await findPlace(ctx, actor, channelId));
  const pinned = await selectPinned(ctx.database.reader, channelId);
  return await completeMessages(ctx, actor, pinned);
}

/** Pins a message; harmless if repeated. Throws NotFoundError, ForbiddenError, and ConflictError for one pin too many. */
export function pinMessage(
  ctx: PlacesContext,
  actor: Account,
  place: MessagePlace,
): Promise<Record<never, never>> {
  return setPinned(ctx, actor, { ...place, pinned: true });
}

/** Takes a message from the pins. Throws NotFoundError, also if it is not pinned, and ForbiddenError. */
export function unpinMessage(
  ctx: PlacesContext,
  actor: Account,
  place: MessagePlace,
): Promise<Record<never, never>> {
  return setPinned(ctx, actor, { ...place, pinned: false });
}

async function setPinned(
  ctx: PlacesContext,
  actor: Account,
  { pinned, ...place }: MessagePlace & { readonly pinned: boolean },
): Promise<Record<never, never>> {
  const { channel_id: channelId, id } = place;
  await requireAdmission(ctx, actor, 'changing');
  const turning = await turningIn(ctx, actor, {
    placeId: channelId,
    requires: requireToDo(ctx, 'PIN'),
  });
  const record = await beginRecord(ctx, actor, turning.access);
  await ctx.database.writeAlone(waitingFor(turning, true), async (tx) => {
    await record.hold(tx);
    // The channel is locked from here on, so that nobody else pins.
    const turn = await takeTurn(tx, ctx, turning);
    const message = await lockOne(tx, place);
    if (message.isPinned === pinned) {
      if (!pinned) throw new NotFoundError();
      nothingToDo();
    }
    if (pinned && (await countPinned(tx.sql, channelId)) >= MOST_PINS)
      throw tooMany('pins', MOST_PINS);
    const pinnedAtMs = pinned ? ctx.clock.unixMs() : undefined;
    await updatePinned(tx.sql, message, { pinnedAtMs, version: message.version + 1 });
    const target = { kind: 'message', id } as const;
    const action = pinned ? 'message_pin' : 'message_unpin';
    await record.note(tx, turn.access, { action, target });
    const d = { channel_id: channelId, message_id: id };
    await emitIn(tx, turn, pinned ? { op: 'PIN_ADD', d } : { op: 'PIN_REMOVE', d });
  });
  return {};
}
