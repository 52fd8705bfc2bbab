import { NotFoundError, type Id, type Reaction, type UserSummary } from '@hearth/protocol';
import type { Actor, Account } from '../../../actor.ts';
import type { Context } from '../../../context.ts';
import { holdTurns } from '../../platform/turns/turns.ts';
import type { EmittingTransaction } from '../../../ports/outbox/outbox.ts';
import { requireAdmission } from '../../accounts/moderation/moderation.ts';
import {
  countOf,
  requireEmoji,
  requireRoom,
  withChange,
  type ReactedRange,
} from '../reactions/reactions.ts';
import { deletedUser, type KeepsUsers } from '../../accounts/users/users.ts';
import type { KeepsChannelHomes } from '../../communities/structure/structure.ts';
import type { MessagePlace } from './list-messages.ts';
import {
  deleteReaction,
  insertReaction,
  selectReacted,
  type ReactionPlace,
} from './reaction-store.ts';
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
    const message = await lockOne(tx, place);
    const count = countOf(message.reactions, emoji);
    const reaction = { channelId: place.channel_id, messageId: place.id, emoji };
    const by = { userId: actor.user_id, nowMs: ctx.clock.unixMs() };
    if (!(await insertReaction(tx.sql, reaction, by))) nothingToDo({ emoji, count, mine: true });
    if (count === 0) requireRoom(message.reactions);
    const d = await counted(tx, { message, emoji, difference: 1, userId: actor.user_id });
    await emitIn(tx, turn, { op: 'REACTION_ADD', d });
    return { emoji, count: count + 1, mine: true };
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
    const message = await lockOne(tx, place);
    const reaction = { channelId: place.channel_id, messageId: place.id, emoji };
    if (!(await deleteReaction(tx.sql, reaction, actor.user_id))) throw new NotFoundError();
    const d = await counted(tx, { message, emoji, difference: -1, userId: actor.user_id });
    await emitIn(tx, turn, { op: 'REACTION_REMOVE', d });
    return { emoji, count: countOf(message.reactions, emoji) - 1 };
  });
}

/** Lists who reacted to a message with an emoji, the newest account first. Throws NotFoundError and ValidationError. */
export async function listChannelReacted(
  ctx: PlacesContext & KeepsUsers,
  actor: Actor,
  { channel_id: channelId, id, emoji, ...range }: ReactionInput & ReactedRange,
): Promise<readonly UserSummary[]> {
  await findPlace(ctx, actor, channelId);
  const place = { channelId, messageId: id, emoji: requireEmoji(emoji) };
  const { reader } = ctx.database;
  if ((await selectMessage(reader, channelId, id)) === undefined) throw new NotFoundError();
  const ids = await selectReacted(reader, place, range);
  const users = await ctx.users.all(ids);
  return ids.map((each) => users.get(each) ?? deletedUser(each));
}

/** Takes back the reaction of a deleted account. */
export async function takeBack(
  ctx: Pick<Context, 'database'> & HasPlaces & KeepsChannelHomes,
  userId: Id,
  reaction: ReactionPlace,
): Promise<void> {
  const { channelId, messageId, emoji } = reaction;
  await ctx.database.transaction(async (tx) => {
    await holdTurns(tx, [channelId]);
    const [message] = await lockMessages(tx.sql, channelId, [messageId]);
    const wasThere = await deleteReaction(tx.sql, reaction, userId);
    if (message === undefined || !wasThere) return;
    const d = await counted(tx, { message, emoji, difference: -1, userId });
    const place = await placeNow(tx, ctx, channelId);
    if (place !== undefined) await emitAt(tx, place, { op: 'REACTION_REMOVE', d });
  });
}

interface Change {
  readonly message: StoredMessage;
  readonly emoji: string;
  readonly difference: 1 | -1;
  readonly userId: Id;
}

/** Counts a reaction in its message. Returns what clients are sent of it. */
async function counted(
  { sql }: EmittingTransaction,
  { message, emoji, difference, userId }: Change,
) {
  const reactions = withChange(message.reactions, emoji, difference);
  const version = message.version + 1;
  await updateReactions(sql, message, { reactions, version });
  return {
    channel_id: message.channelId,
    message_id: message.id,
    emoji,
    user_id: userId,
    count: countOf(reactions, emoji),
    version,
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
