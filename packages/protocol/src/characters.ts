/**
 * Matches every character that would break a line, move a terminal's cursor or reverse the direction of text, for
 * `replaceAll`. It does not match the joiners of emoji and of Persian.
 */
export const UNSAFE_CHARACTERS = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu;

/** Counts the Unicode code points in `value`. A lone surrogate counts as one. */
export function countCodePoints(value: string): number {
  let count = value.length;
  for (let index = 0; index < value.length - 1; index += 1) {
    const isHigh = (value.charCodeAt(index) & 0xfc00) === 0xd800;
    const isPair = isHigh && (value.charCodeAt(index + 1) & 0xfc00) === 0xdc00;
    if (isPair) {
      count -= 1;
      index += 1;
    }
  }
  return count;
}
