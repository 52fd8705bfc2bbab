import { emojiIn, ValidationError, type Reaction } from '@hearth/protocol';

/**
 * The number of people who reacted to a message with each emoji; the kind that somebody reacted with first comes first.
 */
export type CountedReactions = readonly Omit<Reaction, 'mine'>[];

/** The name of an emoji on the wire. Throws ValidationError if the text is not one. */
export function requireEmoji(text: string): string {
  const emoji = emojiIn(text);
  if (emoji === undefined) throw new ValidationError('emoji', 'must be one emoji');
  return emoji;
}

/** Returns how many reacted with an emoji. */
export function countOf(reactions: CountedReactions, emoji: string): number {
  return reactions.find((reaction) => reaction.emoji === emoji)?.count ?? 0;
}

/** With one reaction more or less. */
export function withChange(
  reactions: CountedReactions,
  emoji: string,
  change: 1 | -1,
): CountedReactions {
  const count = countOf(reactions, emoji) + change;
  const isKnown = reactions.some((reaction) => reaction.emoji === emoji);
  const all = isKnown
    ? reactions.map((reaction) => (reaction.emoji === emoji ? { emoji, count } : reaction))
    : [...reactions, { emoji, count }];
  return all.filter((reaction) => reaction.count > 0);
}
