/**
 * Matches every character that draws nothing, apart from white space, for `replaceAll`: what Unicode says can be ignored
 * (joiners, variation selectors, tags, fillers of Hangul), controls, noncharacters, and those that are blank by what they are:
 * the empty pattern of Braille, annotations, a replaced object, fillers of other scripts.
 */
export const UNDRAWN_CHARACTERS =
  /[\u{16fe4}\p{Default_Ignorable_Code_Point}\p{Cc}\p{Noncharacter_Code_Point}\u2028\u2029\u2800\ufff9-\ufffc\u{13430}-\u{13442}\u{1d159}]/gu;

const BLANK = new RegExp(`^(?:${UNDRAWN_CHARACTERS.source}|\\p{White_Space})*$`, 'u');

/**
 * Decides that a text draws nothing, so that nobody sees it: names and titles must not. A mark that belongs on a letter draws
 * something alone, too. An emoji of several characters does because one of them does.
 *
 * @example drawsNothing('\u200b\u3164') // true
 */
export function drawsNothing(text: string): boolean {
  return BLANK.test(text);
}
