import type { Id, Reaction } from '@hearth/protocol';

/** Somebody reacted to a message, or took a reaction back. */
export interface ReactionChange {
  /** The message. */
  readonly id: Id;
  readonly emoji: string;
  /** The number of people who have reacted with the emoji now. */
  readonly count: number;
  readonly user_id: Id;
  /** The version of the message from now on. */
  readonly version: number;
  readonly isAdded: boolean;
}

/** A message to which people can react. */
export interface Reactable {
  readonly id: Id;
  readonly version?: number;
  readonly reactions?: readonly Reaction[];
}

/**
 * The message after a reaction; the same if it is at least as new already. With `ownId`, the reaction says whether it is
 * also that person's own.
 */
export function withReaction<Message extends Reactable>(
  message: Message,
  { emoji, count, user_id: userId, version, isAdded }: ReactionChange,
  ownId?: Id,
): Message {
  if ((message.version ?? 1) >= version) return message;
  const { reactions: before = [] } = message;
  const known = before.find((reaction) => reaction.emoji === emoji);
  const isMine = userId === ownId ? isAdded : known?.mine === true;
  const changed: Reaction = { emoji, count, ...(isMine && { mine: true as const }) };
  const all =
    known === undefined
      ? [...before, changed]
      : before.map((reaction) => (reaction === known ? changed : reaction));
  return { ...message, version, reactions: all.filter((reaction) => reaction.count > 0) };
}
