import { mentionPattern } from '@hearth/sdk';

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
