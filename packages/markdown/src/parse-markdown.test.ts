import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { MarkdownCache } from './markdown-cache.ts';
import { parseMarkdown } from './parse-markdown.ts';
import { Steps } from './steps.ts';
import type { MessageToken } from './tokens.ts';

const kinds = (content: string) => {
  const parsed = parseMarkdown(content);
  return parsed.kind === 'plain' ? 'plain' : parsed.tokens.map(({ type }) => type);
};

/** All that is shown of a text. */
function shown(tokens: readonly MessageToken[]): string {
  return tokens
    .map((token) => {
      if (token.type === 'list') return shown(token.items);
      if (token.type === 'table') {
        const cells = [token.header, ...token.rows].flat();
        return cells.map((cell) => `${shown(cell.tokens)} `).join('');
      }
      if ('tokens' in token && token.tokens !== undefined) return `${shown(token.tokens)} `;
      return 'text' in token ? token.text : ' ';
    })
    .join(' ');
}

describe('Markdown', () => {
  test('is parsed into tokens', () => {
    expect(kinds('# a\n\nb\n\n```js\nc\n```\n> d')).toEqual([
      'heading',
      'paragraph',
      'code',
      'blockquote',
    ]);
  });

  test('that would show nothing is shown as it was written', () => {
    expect(kinds('\n \n')).toBe('plain');
    expect(kinds('[a]: https://example.org')).toEqual(['def']);
  });

  test('may be long, and may have many marks', () => {
    expect(kinds('a '.repeat(20_000))).toEqual(['paragraph']);
    const lines = `${'a_b *c* [d](https://example.org) '.repeat(3)}\n`;
    expect(kinds(lines.repeat(300))).toEqual(['paragraph']);
  });

  test('names addresses by labels, also where they are defined later', () => {
    const { tokens } = parseMarkdown('[a][B] [b]\n\n[b]: https://example.org "title"');
    const [paragraph] = tokens;
    expect(paragraph?.type === 'paragraph' && paragraph.tokens).toMatchObject([
      { type: 'link', href: 'https://example.org', text: 'a' },
      { type: 'text' },
      { type: 'link', href: 'https://example.org', text: 'b' },
    ]);
  });

  test.each([
    ['- a\nb\n  c', [['list', 'a b c']]],
    ['> a\nb', [['blockquote', 'a b']]],
    ['- a\n\n      b\n\n  c\nd', [['list', 'a b c d']]],
    [
      '-\n\n  a',
      [
        ['list', ''],
        ['paragraph', 'a'],
      ],
    ],
    [
      'a\n\n\tb\n',
      [
        ['paragraph', 'a'],
        ['code', 'b'],
      ],
    ],
    [
      '1. a\n2) b',
      [
        ['list', 'a'],
        ['list', 'b'],
      ],
    ],
    ['a\n2. b', [['paragraph', 'a 2. b']]],
    ['```a`b\nc', [['paragraph', '```a`b c']]],
    [
      'a\r\nb\r\n\r\nc',
      [
        ['paragraph', 'a b'],
        ['paragraph', 'c'],
      ],
    ],
  ])('divides %j into blocks', (content, blocks) => {
    const words = (token: MessageToken) => shown([token]).split(/\s+/).join(' ').trim();
    expect(parseMarkdown(content).tokens.map((token) => [token.type, words(token)])).toEqual(
      blocks.map((block) => [...block]),
    );
  });

  test('loses nothing', () => {
    const line = fc.constantFrom(
      ...[
        'word',
        '',
        '```',
        '~~~~',
        '- item',
        '  indented',
        '# head',
        '> quote',
        '1. one',
        '\tcode',
      ],
      ...['| a | b |', '|---|---|', '===', '*emphasis*', '**strong', '[link](', '<tag', '> - deep'],
    );
    const lettersOf = (text: string) => text.match(/[a-z]+/g) ?? [];
    fc.assert(
      fc.property(fc.array(line, { maxLength: 40 }), (lines) => {
        const text = lines.join('\n');
        const letters = lettersOf(shown(parseMarkdown(text).tokens));
        // What follows a fence is no part of the code.
        expect(letters.length).toBeGreaterThanOrEqual(lettersOf(text).length);
      }),
    );
  });

  test('that takes more steps than it may is shown as it was written, with its spoilers', () => {
    const { kind, tokens } = parseMarkdown('**a** ||b||', new Steps(10));
    expect(kind).toBe('plain');
    expect(tokens.map(({ type, raw }) => [type, raw])).toEqual([
      ['text', '**a** '],
      ['spoiler', '||b||'],
    ]);
  });

  test('[WC241] is cached, and the least recently used text is forgotten first', () => {
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
