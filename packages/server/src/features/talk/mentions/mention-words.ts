import { namingTexts } from '@hearth/markdown';
import { folded } from '../../../lib/skeleton.ts';

/** A word that may name somebody or something, in the forms in which it may be meant, the longest first. */
export interface MentionWord {
  readonly sign: '@' | '#';
  readonly forms: readonly string[];
}

/** The number of words of a text that are looked up. */
const MOST_WORDS = 200;

/** Longer words name nothing. */
const MOST_WORD_LENGTH = 200;

const WORD = /(?<![\p{L}\p{N}@#/])([@#])([^\s@#]+)/gu;
const TRAILING = /[^\p{L}\p{N}]+$/u;
const LEADING_RUN = /^[\p{L}\p{M}\p{N}_.-]+/u;
const SPACES = /\s+/gu;

/** The words of a text that may mention something, each once. What is code or an address for readers mentions nothing. */
export function mentionWords(content: string): readonly MentionWord[] {
  const words = new Map<string, MentionWord>();
  const all = namingTexts(content).flatMap((text) => Array.from(text.matchAll(WORD)));
  for (const [, sign, word = ''] of all) {
    if (word.length > MOST_WORD_LENGTH) continue;
    const forms = formsOf(foldedName(word));
    const found = { sign: sign === '#' ? '#' : '@', forms } as const;
    words.set(`${found.sign}${forms[0] ?? ''}`, found);
    if (words.size === MOST_WORDS) break;
  }
  return [...words.values()];
}

/** A name as it is written in mentions: folded, with dashes in place of spaces. */
export function foldedName(name: string): string {
  return folded(name.trim()).replaceAll(SPACES, '-');
}

function formsOf(word: string): readonly string[] {
  const run = LEADING_RUN.exec(word)?.[0] ?? '';
  const forms = [word, word.replace(TRAILING, ''), run, run.replace(TRAILING, '')];
  return [...new Set(forms)].filter((form) => form !== '');
}
