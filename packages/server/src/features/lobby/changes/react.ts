import {
  ConflictError,
  emojiIn,
  MOST_REACTION_KINDS,
  NotFoundError,
  ValidationError,
  type Id,
  type LobbyMessage,
  type Reaction,
} from '@hearth/protocol';
import type { Actor } from '../../../actor.ts';
import { requireAdmission } from '../../moderation/require-admission.ts';
import { emitChange } from '../emit-change.ts';
import type { LobbyContext } from '../lobby-context.ts';
import { requireUser } from '../require-lobby.ts';
import { changeKept } from './change-kept.ts';
import { countOf, setCount } from './reaction-counts.ts';
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
  ctx: LobbyContext,
  actor: Actor,
  input: ReactionInput,
): Promise<Reaction> {
  const { user_id: userId } = requireUser(ctx, actor);
  const emoji = requireEmoji(input.emoji);
  await requireAdmission(ctx, actor, 'changing');
  return changeKept(ctx, input.id, async (tx, locked) => {
    const count = countOf(locked.message, emoji);
    const place = { messageId: input.id, emoji };
    const isNew = await insertReaction(tx.sql, place, { userId, nowMs: ctx.clock.unixMs() });
    if (!isNew) return { emoji, count, mine: true };
    if (count === 0) requireRoom(locked.message);
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
  ctx: LobbyContext,
  actor: Actor,
  input: ReactionInput,
): Promise<Reaction> {
  const { user_id: userId } = requireUser(ctx, actor);
  const emoji = requireEmoji(input.emoji);
  await requireAdmission(ctx, actor, 'changing');
  return changeKept(ctx, input.id, async (tx, locked) => {
    const place = { messageId: input.id, emoji };
    if (!(await deleteReaction(tx.sql, place, userId))) throw new NotFoundError();
    const changed = await setCount(tx, locked, { emoji, change: -1 });
    const d = { id: input.id, emoji, user_id: userId, ...changed };
    await emitChange(tx, { op: 'REACTION_REMOVE', d });
    return { emoji, count: changed.count };
  });
}

/** The name of an emoji on the wire. Throws ValidationError if the text is not one. */
export function requireEmoji(text: string): string {
  const emoji = emojiIn(text);
  if (emoji === undefined) throw new ValidationError('emoji', 'must be one emoji');
  return emoji;
}

function requireRoom({ reactions = [] }: LobbyMessage): void {
  if (reactions.length < MOST_REACTION_KINDS) return;
  throw new ConflictError({
    code: 'too_many',
    field_name: 'emoji',
    error: `the message has ${MOST_REACTION_KINDS} kinds of reactions already`,
  });
}
