import {
  firstCharacters,
  lineText,
  parseBeginning,
  plainLines,
  withEllipsis,
  type PlainLine,
} from '@hearth/markdown';
import { parseUrl } from '@hearth/protocol';

const MOST_CHARACTERS = 320;

/** Matches the end of a text that needs nothing between it and what follows. */
const ENDS = /[,;:.!?…。、！？：；،؟।–—]["'”’»)\]*_~`]*$/u;

/** The number of characters that say how a text ends. */
const LAST = 20;

/** The beginning of a text in Markdown as plain words in one line, without code. */
export function excerptOf(content: string): string {
  const { text: parsed, isCut } = parseBeginning(content, MOST_CHARACTERS);
  const lines = plainLines(parsed, { hasBullets: false }).filter(({ kind }) => kind !== 'code');
  const whole = inOneLine(lines).replaceAll(/\s+/g, ' ').trim();
  const text = firstCharacters(whole, MOST_CHARACTERS);
  return withEllipsis({ text, isCut: isCut || text.length < whole.length });
}

/** A list reads as its items, one after the other, and what else stands apart does not run together. */
function inOneLine(lines: readonly PlainLine[]): string {
  let text = '';
  let before: PlainLine['kind'] | undefined;
  for (const line of lines) {
    if (before !== undefined && line.isFirst && !ENDS.test(text.slice(-LAST))) {
      text += line.isItem && before === 'item' ? ',' : ' –';
    }
    text += `\n${lineText(line)}`;
    before = line.kind;
  }
  return text;
}

/** The host of an address, as it is shown. */
export function hostOf(url: string): string {
  return parseUrl(url)?.host.replace(/^www\./, '') ?? url;
}
