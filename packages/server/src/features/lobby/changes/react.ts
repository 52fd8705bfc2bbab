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
import type { EmittingTransaction } from '../../../ports/outbox/outbox.ts';
import { requireAdmission } from '../../moderation/require-admission.ts';
import { emitChange } from '../emit-change.ts';
import type { LobbyContext } from '../lobby-context.ts';
import { requireUser } from '../require-lobby.ts';
import { changeKept, nextVersion } from './change-kept.ts';
import { deleteReaction, insertReaction, replaceMessage, type LockedMessage } from './store.ts';

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
    const version = await setCount(tx, locked, { emoji, count: count + 1 });
    const d = { id: input.id, emoji, count: count + 1, user_id: userId, version };
    await emitChange(tx, { op: 'REACTION_ADD', d });
    return { emoji, count: count + 1, mine: true };
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
    const count = countOf(locked.message, emoji) - 1;
    const version = await setCount(tx, locked, { emoji, count });
    const d = { id: input.id, emoji, count, user_id: userId, version };
    await emitChange(tx, { op: 'REACTION_REMOVE', d });
    return { emoji, count };
  });
}

/** The name of an emoji on the wire. Throws ValidationError if the text is not one. */
export function requireEmoji(text: string): string {
  const emoji = emojiIn(text);
  if (emoji === undefined) throw new ValidationError('emoji', 'must be one emoji');
  return emoji;
}

function countOf({ reactions = [] }: LobbyMessage, emoji: string): number {
  return reactions.find((reaction) => reaction.emoji === emoji)?.count ?? 0;
}

function requireRoom({ reactions = [] }: LobbyMessage): void {
  if (reactions.length < MOST_REACTION_KINDS) return;
  throw new ConflictError({
    code: 'too_many',
    field_name: 'emoji',
    error: `the message has ${MOST_REACTION_KINDS} kinds of reactions already`,
  });
}

/** Stores how many reacted with an emoji. Returns the version of the message from then on. */
async function setCount(
  tx: EmittingTransaction,
  locked: LockedMessage,
  { emoji, count }: Pick<Reaction, 'emoji' | 'count'>,
): Promise<number> {
  const { reactions: before = [], ...message } = locked.message;
  const version = nextVersion(message);
  const isKnown = before.some((reaction) => reaction.emoji === emoji);
  const all = isKnown
    ? before.map((reaction) => (reaction.emoji === emoji ? { emoji, count } : reaction))
    : [...before, { emoji, count }];
  const reactions = all.filter((reaction) => reaction.count > 0);
  const changed = { ...message, version, ...(reactions.length > 0 && { reactions }) };
  await replaceMessage(tx.sql, locked, changed);
  return version;
}
