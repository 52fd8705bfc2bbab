const MOST_CHARACTERS = 320;

/** The beginning of a text in Markdown as plain words. */
export function excerptOf(content: string): string {
  const text = content
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

/** The host of an address, as it is shown. */
export function hostOf(url: string): string {
  return URL.parse(url)?.host.replace(/^www\./, '') ?? url;
}
