/** Matches the first half of a character at the end of a text. */
export const HALF_CHARACTER = /[\uD800-\uDBFF]$/;

/** The first `most` UTF-16 code units of a text, without half a character or a part of the marks of code at the end. */
export function firstOf(text: string, most: number): string {
  const first = text.slice(0, most);
  if (text[most] === '`') return first.replace(/`+$/, '');
  return first.replace(HALF_CHARACTER, '');
}
