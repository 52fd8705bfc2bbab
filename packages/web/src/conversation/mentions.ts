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

/** A text in parts; those at odd positions mention the person. */
export function splitMentions(text: string, name: string): readonly string[] {
  if (name === '' || !text.includes('@')) return [text];
  const parts: string[] = [];
  let end = 0;
  for (const { index, 1: before = '', 2: mention = '' } of text.matchAll(mentionPattern(name))) {
    const start = index + before.length;
    parts.push(text.slice(end, start), mention);
    end = start + mention.length;
  }
  return [...parts, text.slice(end)];
}

function escaped(name: string): string {
  return name.replaceAll(SPECIAL, String.raw`\$&`);
}
