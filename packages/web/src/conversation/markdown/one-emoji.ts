const LONGEST_EMOJI = 40;

/** Returns whether a text is a single emoji, which is shown large. */
export function isOneEmoji(text: string): boolean {
  const trimmed = text.trim();
  return trimmed.length <= LONGEST_EMOJI && /^\p{RGI_Emoji}$/v.test(trimmed);
}
