import { namingTexts, parseMarkdown } from '@hearth/markdown';

const SPECIAL = /[$()*+.?[\\\]^{|}]/g;

/** Matches mentions of `name`: `@name` as a whole word, in any case. The group before it is not part of it. */
export function mentionPattern(name: string): RegExp {
  return new RegExp(`(^|[^\\p{L}\\p{N}@])(@${escaped(name)})(?![\\p{L}\\p{N}])`, 'giu');
}

/**
 * Checks whether a message mentions the person of this name: `@name` anywhere outside of code and addresses, or the name at the
 * beginning, followed by a colon or a comma.
 */
export function mentionsName(content: string, name: string): boolean {
  if (name === '') return false;
  const pattern = mentionPattern(name);
  if (namingTexts(content).some((text) => text.search(pattern) !== -1)) return true;
  if (!new RegExp(`^\\s*${escaped(name)}[:,]`, 'iu').test(content)) return false;
  return parseMarkdown(content).tokens[0]?.type !== 'code';
}

function escaped(name: string): string {
  return name.replaceAll(SPECIAL, String.raw`\$&`);
}
