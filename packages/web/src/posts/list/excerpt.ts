const MOST_CHARACTERS = 320;

const ITEM = /^\s*(?:[-*+]|\d{1,9}[.)])\s/;

/** The beginning of a text in Markdown as plain words. */
export function excerptOf(content: string): string {
  const text = withCommas(content)
    .replaceAll(/```[\s\S]*?(?:```|$)/g, ' ')
    .replaceAll(/\|\|[\s\S]*?\|\|/g, '▒▒▒')
    .replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/^\s{0,3}(?:#{1,6}|>|[-*+]|\d+[.)])\s+/gm, '')
    .replaceAll(/[*_~`]+/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
  const characters = Array.from(text);
  if (characters.length <= MOST_CHARACTERS) return text;
  return `${characters.slice(0, MOST_CHARACTERS).join('').trimEnd()}…`;
}

/** A list reads as its items, one after the other. */
function withCommas(content: string): string {
  const lines: string[] = [];
  let isAfterItem = false;
  for (const line of content.split('\n').map((each) => each.trimEnd())) {
    if (line === '') continue;
    const isItem = ITEM.test(line);
    const before = lines.pop();
    if (before !== undefined) {
      const isApart = isItem && isAfterItem && !/[,;:.!?]$/.test(before);
      lines.push(isApart ? `${before},` : before);
    }
    lines.push(isItem ? line.trimStart() : line);
    isAfterItem = isItem;
  }
  return lines.join('\n');
}

/** The host of an address, as it is shown. */
export function hostOf(url: string): string {
  return URL.parse(url)?.host.replace(/^www\./, '') ?? url;
}
