import {
  NotFoundError,
  type Id,
  type Reaction,
  type StreamEvent,
  type UserSummary,
} from '@hearth/protocol';
import type { Actor, Account } from '../../../actor.ts';
import type { Context } from '../../../context.ts';
import { holdTurns } from '../../platform/turns/turns.ts';
import type { EmittingTransaction } from '../../../ports/outbox/outbox.ts';
import { requireAdmission } from '../../accounts/moderation/moderation.ts';
import {
  addTo,
  listReactedTo,
  requireEmoji,
  takeBack,
  takeFrom,
  type ReactedMessage,
  type ReactedRange,
  type StoredReaction,
} from '../reactions/reactions.ts';
import type { KeepsUsers } from '../../accounts/users/users.ts';
import type { KeepsChannelHomes } from '../../communities/structure/structure.ts';
import type { MessagePlace } from './list-messages.ts';
import { lockMessages, selectMessage, updateReactions } from './store.ts';
import type { StoredMessage } from './stored-message.ts';
import {
  emitAt,
  emitIn,
  findPlace,
  nothingToDo,
  placeNow,
  requireMessages,
  requireToDo,
  takeTurn,
  turningIn,
  waitingFor,
  type HasPlaces,
  type PlacesContext,
} from '../places/places.ts';

/** A message, and an emoji as it was written. */
export interface ReactionInput extends MessagePlace {
  readonly emoji: string;
}

/**
 * Reacts to a message; harmless if repeated. Resolves with the reactions of that kind. Throws ForbiddenError, ValidationError,
 * NotFoundError, and ConflictError if the message has too many kinds already.
 */
export async function addChannelReaction(
  ctx: PlacesContext,
  actor: Account,
  { emoji: given, ...place }: ReactionInput,
): Promise<Reaction> {
  const emoji = requireEmoji(given);
  await requireAdmission(ctx, actor, 'changing');
  const requires = requireToDo(ctx, 'REACT');
  const turning = await turningIn(ctx, actor, { placeId: place.channel_id, requires });
  return await ctx.database.writeAlone(waitingFor(turning), async (tx) => {
    const turn = await takeTurn(tx, ctx, turning);
    const message = reactedIn(tx, await lockOne(tx, place), (event) => emitIn(tx, turn, event));
    const by = { userId: actor.user_id, emoji, nowMs: ctx.clock.unixMs() };
    const { isNew, reaction } = await addTo(tx, message, by);
    if (!isNew) nothingToDo(reaction);
    return reaction;
  });
}

/** Takes back a reaction. Resolves with what is left of that kind. Throws ValidationError, ForbiddenError and NotFoundError. */
export async function removeChannelReaction(
  ctx: PlacesContext,
  actor: Account,
  { emoji: given, ...place }: ReactionInput,
): Promise<Reaction> {
  const emoji = requireEmoji(given);
  await requireAdmission(ctx, actor, 'changing');
  const requires = requireMessages;
  const turning = await turningIn(ctx, actor, { placeId: place.channel_id, requires });
  return await ctx.database.writeAlone(waitingFor(turning), async (tx) => {
    const turn = await takeTurn(tx, ctx, turning);
    const message = reactedIn(tx, await lockOne(tx, place), (event) => emitIn(tx, turn, event));
    return await takeFrom(tx, message, { userId: actor.user_id, emoji });
  });
}

/** Lists who reacted to a message with an emoji, the newest account first. Throws NotFoundError and ValidationError. */
export async function listChannelReacted(
  ctx: PlacesContext & KeepsUsers,
  actor: Actor,
  { channel_id: channelId, id, emoji, ...range }: ReactionInput & ReactedRange,
): Promise<readonly UserSummary[]> {
  await findPlace(ctx, actor, channelId);
  const reacted = { messageId: id, emoji: requireEmoji(emoji) };
  const message = await selectMessage(ctx.database.reader, channelId, id);
  if (message === undefined) throw new NotFoundError();
  return await listReactedTo(ctx, reacted, range);
}

/** Takes back the reaction of a deleted account. */
export async function takeBackIn(
  ctx: Pick<Context, 'database'> & HasPlaces & KeepsChannelHomes,
  userId: Id,
  { channelId, messageId, emoji }: StoredReaction,
): Promise<void> {
  await ctx.database.transaction(async (tx) => {
    await holdTurns(tx, [channelId]);
    const [message] = await lockMessages(tx.sql, channelId, [messageId]);
    const emit = async (event: StreamEvent) => {
      const place = await placeNow(tx, ctx, channelId);
      // Those who saw a channel that is gone are sent nothing.
      if (place !== undefined) await emitAt(tx, place, event);
    };
    const reacted = message && reactedIn(tx, message, emit);
    await takeBack(tx, reacted, { userId, messageId, emoji });
  });
}

/** A message of a channel, as reactions see it. */
function reactedIn(
  tx: EmittingTransaction,
  message: StoredMessage,
  emit: (event: StreamEvent) => Promise<void>,
): ReactedMessage {
  const { id, channelId, reactions, version } = message;
  const place = { channel_id: channelId, message_id: id };
  return {
    id,
    channelId,
    reactions,
    version,
    store: (changed) => updateReactions(tx.sql, message, changed),
    emitAdded: (counted) => emit({ op: 'REACTION_ADD', d: { ...place, ...counted } }),
    emitRemoved: (counted) => emit({ op: 'REACTION_REMOVE', d: { ...place, ...counted } }),
  };
}

/** A message that nothing else changes until the transaction ends. Throws NotFoundError. */
export async function lockOne(
  { sql }: EmittingTransaction,
  { channel_id: channelId, id }: { readonly channel_id: Id; readonly id: Id },
): Promise<StoredMessage> {
  const [message] = await lockMessages(sql, channelId, [id]);
  if (message === undefined) throw new NotFoundError();
  return message;
}
