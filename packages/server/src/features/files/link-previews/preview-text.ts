import { UNSAFE_CHARACTERS } from '@hearth/protocol';

/** Text of a page as it is shown: one line of at most so many characters; undefined if nothing is left of it. */
export function previewText(text: string | undefined, mostCharacters: number): string | undefined {
  if (text === undefined) return undefined;
  // A page may have much of it, and no character takes more than a few units after it is normalised.
  const some = text.trimStart().slice(0, mostCharacters * 8);
  const line = some
    .toWellFormed()
    .replaceAll(/\s+/gu, ' ')
    .replaceAll(UNSAFE_CHARACTERS, '')
    .normalize('NFC')
    .trim();
  const characters = [...line];
  if (characters.length === 0) return undefined;
  if (characters.length <= mostCharacters) return line;
  return `${characters
    .slice(0, mostCharacters - 1)
    .join('')
    .trimEnd()}…`;
}
