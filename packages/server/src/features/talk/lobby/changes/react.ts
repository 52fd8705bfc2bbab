import { idAfter, NotFoundError, type Id, type Reaction, type UserSummary } from '@hearth/protocol';
import type { Actor } from '../../../../actor.ts';
import type { Context } from '../../../../context.ts';
import { NO_ID } from '../../../../ports/database/stored-id.ts';
import type { EmittingTransaction } from '../../../../ports/outbox/outbox.ts';
import { requireAdmission } from '../../../accounts/moderation/moderation.ts';
import type { KeepsUsers } from '../../../accounts/users/users.ts';
import { findLobby } from '../../places/places.ts';
import {
  addTo,
  listReactedTo,
  requireEmoji,
  takeFrom,
  type ReactedMessage,
  type ReactedRange,
} from '../../reactions/reactions.ts';
import { emitChange } from '../emit-change.ts';
import type { KeepsHistory } from '../message-history.ts';
import { requireUser } from '../require-user.ts';
import { changeKept } from './change-kept.ts';
import { replaceMessage, versionOf, type LockedMessage } from './store.ts';

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
  { id, emoji: given }: ReactionInput,
): Promise<Reaction> {
  const { user_id: userId } = requireUser(ctx, actor);
  const emoji = requireEmoji(given);
  await requireAdmission(ctx, actor, 'changing');
  return changeKept(ctx, { id }, async (tx, locked) => {
    const by = { userId, emoji, nowMs: ctx.clock.unixMs() };
    const { reaction } = await addTo(tx, reactedIn(tx, locked), by);
    return reaction;
  });
}

/**
 * Takes back a reaction. Resolves with what is left of that kind. Throws UnauthorizedError, ForbiddenError,
 * ValidationError and NotFoundError.
 */
export async function removeReaction(
  ctx: Context & KeepsHistory,
  actor: Actor,
  { id, emoji: given }: ReactionInput,
): Promise<Reaction> {
  const { user_id: userId } = requireUser(ctx, actor);
  const emoji = requireEmoji(given);
  await requireAdmission(ctx, actor, 'changing');
  return changeKept(ctx, { id }, (tx, locked) =>
    takeFrom(tx, reactedIn(tx, locked), { userId, emoji }),
  );
}

/**
 * Lists who reacted to a message with an emoji, the newest account first. Throws NotFoundError if there is no such
 * message, ForbiddenError if the access code is needed, and ValidationError.
 */
export async function listReacted(
  ctx: Context & KeepsHistory & KeepsUsers,
  actor: Actor,
  { id, emoji, ...range }: ReactionInput & ReactedRange,
): Promise<readonly UserSummary[]> {
  await findLobby(ctx, actor);
  const reacted = { messageId: id, emoji: requireEmoji(emoji) };
  const [message] = await ctx.history.list({ before: idAfter(id), limit: 1 });
  if (message?.id !== id) throw new NotFoundError();
  return listReactedTo(ctx, reacted, range);
}

/** A message of the lobby, as reactions see it. */
export function reactedIn(tx: EmittingTransaction, locked: LockedMessage): ReactedMessage {
  const { reactions = [], ...message } = locked.message;
  const { id } = message;
  return {
    id,
    channelId: NO_ID,
    reactions,
    version: versionOf(message),
    store: ({ reactions: left, version }) =>
      replaceMessage(tx.sql, locked, {
        ...message,
        version,
        ...(left.length > 0 && { reactions: [...left] }),
      }),
    emitAdded: (counted) => emitChange(tx, { op: 'REACTION_ADD', d: { id, ...counted } }),
    emitRemoved: (counted) => emitChange(tx, { op: 'REACTION_REMOVE', d: { id, ...counted } }),
  };
}
