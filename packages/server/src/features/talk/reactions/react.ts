import {
  MOST_REACTION_KINDS,
  NotFoundError,
  type Id,
  type Reaction,
  type UserSummary,
} from '@hearth/protocol';
import type { Context } from '../../../context.ts';
import type { EmittingTransaction } from '../../../ports/outbox/outbox.ts';
import { tooMany } from '../../../too-many.ts';
import { deletedUser, type KeepsUsers } from '../../accounts/users/users.ts';
import { countOf, withChange, type CountedReactions } from './counted-reactions.ts';
import {
  deleteReaction,
  insertReaction,
  selectReacted,
  type Reacted,
  type ReactedRange,
} from './reaction-store.ts';

/** A message that nothing else changes until the transaction ends. */
export interface ReactedMessage {
  readonly id: Id;
  /** NO_ID in the lobby. */
  readonly channelId: Id;
  readonly reactions: CountedReactions;
  readonly version: number;
  /** Stores what has changed in the message. */
  store(changed: Pick<ReactedMessage, 'reactions' | 'version'>): Promise<void>;
  /** Both notify those who see the message, of one reaction more or less. */
  emitAdded(counted: Counted): Promise<void>;
  emitRemoved(counted: Counted): Promise<void>;
}

/** The facts of a reaction that clients are sent, besides the place of the message. */
export interface Counted {
  readonly emoji: string;
  readonly user_id: Id;
  readonly count: number;
  readonly version: number;
}

/** Somebody who reacts, and the emoji. */
export interface ReactionBy {
  readonly userId: Id;
  readonly emoji: string;
}

/**
 * Adds a reaction to a message. Returns the reactions of that kind, and whether there is one more. Throws ConflictError if the
 * message has too many kinds already.
 */
export async function addTo(
  { sql }: EmittingTransaction,
  message: ReactedMessage,
  { userId, emoji, nowMs }: ReactionBy & { readonly nowMs: number },
): Promise<{ readonly isNew: boolean; readonly reaction: Reaction }> {
  const { id: messageId, channelId, reactions } = message;
  const count = countOf(reactions, emoji);
  const stored = { messageId, channelId, emoji, reactedAtMs: nowMs };
  if (!(await insertReaction(sql, userId, stored))) {
    return { isNew: false, reaction: { emoji, count, mine: true } };
  }
  if (count === 0 && reactions.length >= MOST_REACTION_KINDS) {
    throw tooMany('emoji', MOST_REACTION_KINDS);
  }
  const counted = await countIn(message, { userId, emoji, change: 1 });
  await message.emitAdded(counted);
  return { isNew: true, reaction: { emoji, count: counted.count, mine: true } };
}

/** Takes back a reaction. Returns what is left of that kind. Throws NotFoundError if there was none. */
export async function takeFrom(
  { sql }: EmittingTransaction,
  message: ReactedMessage,
  { userId, emoji }: ReactionBy,
): Promise<Reaction> {
  const isGone = await deleteReaction(sql, userId, { messageId: message.id, emoji });
  if (!isGone) throw new NotFoundError();
  return { emoji, count: await takeOne(message, { userId, emoji }) };
}

/** Takes back the reaction of a deleted account, also if there is no such message any more. */
export async function takeBack(
  { sql }: EmittingTransaction,
  message: ReactedMessage | undefined,
  { userId, ...reacted }: Reacted & ReactionBy,
): Promise<void> {
  const isGone = await deleteReaction(sql, userId, reacted);
  if (isGone && message !== undefined) await takeOne(message, { userId, emoji: reacted.emoji });
}

/** Lists who reacted to a message with an emoji, the newest account first. */
export async function listReactedTo(
  { database, users }: Pick<Context, 'database'> & KeepsUsers,
  reacted: Reacted,
  range: ReactedRange,
): Promise<readonly UserSummary[]> {
  const ids = await selectReacted(database.reader, reacted, range);
  const known = await users.all(ids);
  return ids.map((each) => known.get(each) ?? deletedUser(each));
}

/** Takes one away, and returns how many are left. */
async function takeOne(message: ReactedMessage, by: ReactionBy): Promise<number> {
  const counted = await countIn(message, { ...by, change: -1 });
  await message.emitRemoved(counted);
  return counted.count;
}

async function countIn(
  message: ReactedMessage,
  { userId, emoji, change }: ReactionBy & { readonly change: 1 | -1 },
): Promise<Counted> {
  const reactions = withChange(message.reactions, emoji, change);
  const version = message.version + 1;
  await message.store({ reactions, version });
  return { emoji, user_id: userId, count: countOf(reactions, emoji), version };
}
