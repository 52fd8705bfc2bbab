import { NotFoundError, type Id, type Reaction } from '@hearth/protocol';
import type { Actor } from '../../../../actor.ts';
import type { Context } from '../../../../context.ts';
import { requireAdmission } from '../../../accounts/moderation/moderation.ts';
import { countOf, requireEmoji, requireRoom } from '../../reactions/reactions.ts';
import { emitChange } from '../emit-change.ts';
import type { KeepsHistory } from '../message-history.ts';
import { requireUser } from '../require-user.ts';
import { changeKept } from './change-kept.ts';
import { setCount } from './reaction-counts.ts';
import { deleteReaction, insertReaction } from './store.ts';

/** A message, and an emoji as it was written. */
export interface ReactionInput {
  readonly id: Id;
  readonly emoji: string;
}

/**
 * Reacts to a message; harmless if repeated. Resolves with the reactions of that kind when they are stored and on their
 * way. Throws UnauthorizedError, ForbiddenError, ValidationError, NotFoundError, and ConflictError if the message has too
 * many kinds already.
 */
export async function addReaction(
  ctx: Context & KeepsHistory,
  actor: Actor,
  input: ReactionInput,
): Promise<Reaction> {
  const { user_id: userId } = requireUser(ctx, actor);
  const emoji = requireEmoji(input.emoji);
  await requireAdmission(ctx, actor, 'changing');
  return changeKept(ctx, { id: input.id }, async (tx, locked) => {
    const count = countOf(locked.message.reactions ?? [], emoji);
    const place = { messageId: input.id, emoji };
    const isNew = await insertReaction(tx.sql, place, { userId, nowMs: ctx.clock.unixMs() });
    if (!isNew) return { emoji, count, mine: true };
    if (count === 0) requireRoom(locked.message.reactions ?? []);
    const changed = await setCount(tx, locked, { emoji, change: 1 });
    const d = { id: input.id, emoji, user_id: userId, ...changed };
    await emitChange(tx, { op: 'REACTION_ADD', d });
    return { emoji, count: changed.count, mine: true };
  });
}

/**
 * Takes back a reaction. Resolves with what is left of that kind. Throws UnauthorizedError, ForbiddenError,
 * ValidationError and NotFoundError.
 */
export async function removeReaction(
  ctx: Context & KeepsHistory,
  actor: Actor,
  input: ReactionInput,
): Promise<Reaction> {
  const { user_id: userId } = requireUser(ctx, actor);
  const emoji = requireEmoji(input.emoji);
  await requireAdmission(ctx, actor, 'changing');
  return changeKept(ctx, { id: input.id }, async (tx, locked) => {
    const place = { messageId: input.id, emoji };
    if (!(await deleteReaction(tx.sql, place, userId))) throw new NotFoundError();
    const changed = await setCount(tx, locked, { emoji, change: -1 });
    const d = { id: input.id, emoji, user_id: userId, ...changed };
    await emitChange(tx, { op: 'REACTION_REMOVE', d });
    return { emoji, count: changed.count };
  });
}
