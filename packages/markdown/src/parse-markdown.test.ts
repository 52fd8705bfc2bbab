import { describe, expect, test } from 'bun:test';
import { MarkdownCache, parseMarkdown } from './parse-markdown.ts';

const kinds = (content: string) => {
  const parsed = parseMarkdown(content);
  return parsed.kind === 'plain' ? 'plain' : parsed.tokens.map(({ type }) => type);
};

describe('Markdown', () => {
  test('is parsed into tokens', () => {
    expect(kinds('# a\n\nb\n\n```js\nc\n```\n> d')).toEqual([
      'heading',
      'space',
      'paragraph',
      'space',
      'code',
      'blockquote',
    ]);
  });

  test('that would show nothing is shown as it was written', () => {
    expect(kinds('\n \n')).toBe('plain');
    expect(kinds('[a]: https://example.org')).toEqual(['def']);
  });

  test('is not parsed if that would take long', () => {
    expect(kinds('a '.repeat(2_001))).toBe('plain');
    for (const marks of ['*', '_a_', '[', '>', '> ', '- ', '1. ', '- [ ] ', '~~', '<a ', '|']) {
      expect(kinds(marks.repeat(1_300).slice(0, 4_000))).toBe('plain');
    }
  });

  test('may have many marks in code', () => {
    expect(kinds(`\`\`\`\n${'a_b * c[0]\n'.repeat(250)}\`\`\``)).toEqual(['code']);
  });

  test('is cached, and the least recently used text is forgotten first', () => {
    const cache = new MarkdownCache(10);
    const first = cache.get('aaaa');
    cache.get('bbbb');
    expect(cache.get('aaaa')).toBe(first);
    cache.get('cccc');
    expect(cache.size).toBe(2);
    expect(cache.get('aaaa')).toBe(first);
    cache.get('d'.repeat(20));
    expect(cache.size).toBe(1);
    expect(cache.get('aaaa')).not.toBe(first);
  });
});
