/** Matches what folding leaves out: marks above and below letters, and characters that are not shown. */
const IGNORED =
  /\p{Cf}|[\u0300-\u036f]|[\u1ab0-\u1aff]|[\u1dc0-\u1dff]|[\u20d0-\u20ff]|[\ufe20-\ufe2f]/gu;
const ASCII = /^[ -~\s]*$/;

/** The words of a folded text, in its order. */
export type SplitWords = (folded: string) => readonly string[];

/** A text in the form in which it is searched: without differences of case, of diacritics and of compatible characters. */
export function foldText(text: string): string {
  if (ASCII.test(text)) return text.toLowerCase();
  return text
    .normalize('NFKC')
    .toLowerCase()
    .normalize('NFKD')
    .replaceAll(IGNORED, '')
    .replaceAll('ß', 'ss')
    .replaceAll('ς', 'σ')
    .replaceAll('’', "'")
    .normalize('NFC');
}

/** Makes a function that splits texts into words. Making it takes longer than using it. */
export function wordSplitter(): SplitWords {
  const segmenter = new Intl.Segmenter('und', { granularity: 'word' });
  return (folded) => {
    const words: string[] = [];
    for (const { segment, isWordLike } of segmenter.segment(folded)) {
      if (isWordLike === true) words.push(segment);
    }
    return words;
  };
}
