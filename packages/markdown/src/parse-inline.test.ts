import { describe, expect, test } from 'bun:test';
import { parseMarkdown } from './parse-markdown.ts';
import type { MessageToken } from './tokens.ts';

const outline = (tokens: readonly MessageToken[]): unknown[] =>
  tokens.map((token) =>
    'tokens' in token && token.tokens !== undefined
      ? [token.type, ...outline(token.tokens)]
      : token.raw,
  );

const inline = (content: string): unknown[] => {
  const parsed = parseMarkdown(content);
  if (parsed.kind === 'plain') return [content];
  return outline(parsed.tokens).flatMap((paragraph) =>
    Array.isArray(paragraph) ? paragraph.slice(1) : [],
  );
};

describe('[WC30][WC242] the text of a message', () => {
  test('has no emphasis inside words or from single tildes', () => {
    for (const content of ['2*3*4', 'snake_case_name', 'a**b**c', 'in ~10 minutes, or ~20']) {
      expect([content, inline(content).join('')]).toEqual([content, content]);
    }
  });

  test('has emphasis around words, and inside of texts that do not separate words', () => {
    expect(inline('*a* **b** ~~c~~')).toEqual([
      ['em', 'a'],
      ' ',
      ['strong', 'b'],
      ' ',
      ['del', 'c'],
    ]);
    expect(inline('これは*強調*です')).toEqual(['これは', ['em', '強調'], 'です']);
  });

  test('has spoilers, with other marks in them', () => {
    expect(inline('it was ||the *butler*||!')).toEqual([
      'it was ',
      ['spoiler', 'the ', ['em', 'butler']],
      '!',
    ]);
    expect(inline('||a|| ||b||')).toEqual([['spoiler', 'a'], ' ', ['spoiler', 'b']]);
  });

  test('has spoilers in emphasis, in links and where emphasis, a link or an address would end in them', () => {
    expect(inline('**a ||b|| c**')).toEqual([['strong', 'a ', ['spoiler', 'b'], ' c']]);
    expect(inline('[a ||b||](https://example.org)')).toEqual([['link', 'a ', ['spoiler', 'b']]]);
    expect(inline('**a ||b** c||')).toEqual(['**a ', ['spoiler', 'b** c']]);
    expect(inline('[a ||b](https://example.org) c||')[1]).toContain('spoiler');
    expect(inline('https://example.org/||b||')).toEqual([
      ['link', 'https://example.org/'],
      ['spoiler', 'b'],
    ]);
    expect(inline('[a](https://example.org/||b||)').slice(1)).toEqual([
      ['link', 'https://example.org/'],
      ['spoiler', 'b'],
      ')',
    ]);
  });

  test('has no spoiler in code, from bars with spaces, or without an end', () => {
    expect(inline('`||a||`')).toEqual(['`||a||`']);
    for (const content of ['a || b || c', '||', '||||', '||a']) {
      expect([content, inline(content).join('')]).toEqual([content, content]);
    }
  });
});
