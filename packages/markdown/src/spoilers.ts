import { SPOILER_SOURCE } from './message-syntax.ts';

/** What is shown in place of a spoiler where nobody can ask for it. */
export const HIDDEN_SPOILER = '[…]';

/** Spoilers, and characters that an author has escaped. */
const SPOILERS = new RegExp(String.raw`\\.|${SPOILER_SOURCE}`, 'gs');

const HALF_CHARACTER = /[\uD800-\uDBFF]$/;

/** A text without what its spoilers hide, for what is shown as it was written. */
export function withoutSpoilers(text: string): string {
  return text.replaceAll(SPOILERS, (raw) => (raw.startsWith('\\') ? raw : HIDDEN_SPOILER));
}

/**
 * The beginning of a text, at most `most` UTF-16 code units, without half a character at the end. It ends before a spoiler that
 * would lose its end, because the parser would show that as it was written.
 */
export function beginningOf(text: string, most: number): string {
  if (text.length <= most) return text;
  for (const { index, 0: raw } of text.matchAll(SPOILERS)) {
    if (index >= most) break;
    if (index + raw.length > most) return text.slice(0, index);
  }
  return text.slice(0, most).replace(HALF_CHARACTER, '');
}
