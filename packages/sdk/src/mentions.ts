const CODE = /(`{1,3}|~{3})[\s\S]*?\1/g;
const SPECIAL = /[$()*+.?[\\\]^{|}]/g;

/** What mentions of `name` look like: `@name` as a whole word, in any case. The group before it is not part of it. */
export function mentionPattern(name: string): RegExp {
  return new RegExp(`(^|[^\\p{L}\\p{N}@])(@${escaped(name)})(?![\\p{L}\\p{N}])`, 'giu');
}

/**
 * Whether a message mentions the person of this name: `@name` anywhere outside of code, or the name at the beginning,
 * followed by a colon or a comma.
 */
export function mentionsName(content: string, name: string): boolean {
  if (name === '') return false;
  const text = content.replaceAll(CODE, ' ');
  return (
    mentionPattern(name).test(text) || new RegExp(`^\\s*${escaped(name)}[:,]`, 'iu').test(text)
  );
}

function escaped(name: string): string {
  return name.replaceAll(SPECIAL, String.raw`\$&`);
}
