import { parseUrl } from '@hearth/protocol';

const MOST_CHARACTERS = 320;

const CODE = /```[\s\S]*?(?:```|$)/g;

const LINE_KINDS = [
  ['rule', /^(?:[-*_=]\s*){3,}$/],
  ['item', /^(?:[-*+]|\d{1,9}[.)])\s+/],
  ['quote', /^>\s*/],
  ['heading', /^#{1,6}\s+/],
  ['text', /^/],
] as const;

/** Whether a text needs nothing between it and what follows. */
const ENDS = /[,;:.!?…。、！？：；،؟।–—]["'”’»)\]*_~`]*$/u;

/** How much of what is there says how it ends. */
const LAST = 20;

/** The beginning of a text in Markdown as plain words. */
export function excerptOf(content: string): string {
  const text = inOneLine(content.replaceAll(CODE, '\n\n'))
    .replaceAll(/\|\|[\s\S]*?\|\|/g, '▒▒▒')
    .replaceAll(/!?\[([^[\]]*)\]\([^()]*\)/g, '$1')
    .replaceAll(/[*_~`]+/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
  const characters = Array.from(text);
  if (characters.length <= MOST_CHARACTERS) return text;
  return `${characters.slice(0, MOST_CHARACTERS).join('').trimEnd()}…`;
}

type LineKind = (typeof LINE_KINDS)[number][0];

/** A list reads as its items, one after the other, and what else stands apart does not run together. */
function inOneLine(content: string): string {
  let text = '';
  let before: LineKind = 'rule';
  let isApart = true;
  for (const line of content.split('\n').map((each) => each.trim())) {
    const { kind, words } = partsOf(line);
    if (words === '') {
      isApart = true;
      continue;
    }
    const isInItem = kind === 'text' && before === 'item';
    const isNew = isApart || kind === 'heading' || (kind !== before && !isInItem);
    if (text !== '' && !ENDS.test(text.slice(-LAST))) {
      if (kind === 'item' && before === 'item') text += ',';
      else if (isNew) text += ' –';
    }
    text += `\n${words}`;
    isApart = false;
    if (!isInItem) before = kind;
  }
  return text;
}

function partsOf(line: string): { readonly kind: LineKind; readonly words: string } {
  const [kind, start] = LINE_KINDS.find(([, pattern]) => pattern.test(line)) ?? LINE_KINDS[4];
  return { kind, words: kind === 'rule' ? '' : line.replace(start, '') };
}

/** The host of an address, as it is shown. */
export function hostOf(url: string): string {
  return parseUrl(url)?.host.replace(/^www\./, '') ?? url;
}
