import { mentionPattern, mentionsName, type Quote } from '@hearth/sdk';

/**
 * Whether a message concerns the reader: it mentions them, or replies to them. `quote` is the one that it begins with;
 * mentions in it do not count.
 */
export function concernsReader(content: string, quote: Quote | undefined, reader: string): boolean {
  return quote?.author === reader || mentionsName(quote?.text ?? content, reader);
}

/** A text in parts; those at odd positions mention the person by `@name`. */
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
