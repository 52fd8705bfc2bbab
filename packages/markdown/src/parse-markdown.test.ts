import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { MarkdownCache } from './markdown-cache.ts';
import { parseMarkdown } from './parse-markdown.ts';
import { plainText } from './plain-text.ts';
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
  test('Markdown is parsed into tokens', () => {
    expect(kinds('# a\n\nb\n\n```js\nc\n```\n> d')).toEqual([
      'heading',
      'paragraph',
      'code',
      'blockquote',
    ]);
  });

  test('Markdown that would show nothing is shown as it was written', () => {
    expect(kinds('\n \n')).toBe('plain');
    expect(kinds('[a]: https://example.org')).toEqual(['def']);
  });

  test('Markdown may be long, and may have many marks', () => {
    expect(kinds('a '.repeat(20_000))).toEqual(['paragraph']);
    const lines = `${'a_b *c* [d](https://example.org) '.repeat(3)}\n`;
    expect(kinds(lines.repeat(300))).toEqual(['paragraph']);
  });

  test('links name addresses by labels, also where they are defined later', () => {
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
        ['paragraph', '-'],
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
  ])('%j is divided into blocks', (content, blocks) => {
    const words = (token: MessageToken) => shown([token]).split(/\s+/).join(' ').trim();
    expect(parseMarkdown(content).tokens.map((token) => [token.type, words(token)])).toEqual(
      blocks.map((block) => [...block]),
    );
  });

  test.each([
    ['18. September\n2. Oktober', ['18.', '2.'], [18, 2]],
    ['1. a\n1. b\n\n007. c', ['1.', '1.', '007.'], [1, 1, 7]],
    ['3) a\n9) b', ['3)', '9)'], [3, 9]],
    ['- a\n- b', ['-', '-'], [undefined, undefined]],
  ])(
    '[WC246] a list keeps the numbers that the author of %j has written',
    (content, marks, numbers) => {
      const [list] = parseMarkdown(content).tokens;
      const items = list?.type === 'list' ? list.items : [];
      expect(items.map(({ mark }) => mark)).toEqual([...marks]);
      expect(items.map(({ number }) => number)).toEqual([...numbers]);
    },
  );

  test.each([
    ...['#', '##', '# #', '>', '> >', '>\n>', '-', '*', '+', '1.', '2026.', '****', '||||', '|||'],
    ...[
      '```',
      '```\n```',
      '~~~ js',
      '```\n\n\n```',
      '- -',
      '> #',
      '| |\n|-|',
      '&#32;',
      '&#x200B;',
      '# &#x3164;',
      '\\',
    ],
  ])('[WC247] the marks without a text in %j are shown as text', (content) => {
    const drawn = shown(parseMarkdown(content).tokens).replaceAll(/\s/g, '');
    expect(drawn.length).toBeGreaterThan(0);
    const written = parseMarkdown(`before\n\n${content}`).tokens;
    expect(shown(written).replaceAll(/\s/g, '').length).toBeGreaterThan('before'.length);
  });

  test.each([
    ['September 18\n\n2026.', ['paragraph', 'paragraph']],
    ['1. a\n2026.', ['list']],
    ['***', ['hr']],
    ['# a #', ['heading']],
    ['>\n> a', ['blockquote']],
  ])('[WC247] the blocks that have a text are kept, in %j', (content, blocks) => {
    const parsed = parseMarkdown(content).tokens;
    expect(parsed.map(({ type }): string => type)).toEqual([...blocks]);
  });

  test.each([
    ['a ||b\n\nc|| d', 'a ▇▇▇ d'],
    ['||a:\n- b\n- c|| d', '▇▇▇ d'],
    ['- ||a\n- b||\n- c', '• ▇▇▇\n• c'],
    ['> ||a\n>\n> b|| c', '▇▇▇ c'],
    ['> ||a\n\nb|| c', '▇▇▇ c'],
    ['||a\n```\nb\n```\nc||', '▇▇▇'],
    ['# ||a\n\nb|| c', '# ▇▇▇ c'],
    ['||a\n===\nb|| c', '▇▇▇ c'],
    ['<div>||a\n\nb||</div>', '<div>▇▇▇</div>'],
    ['| x |\n|---|\n| ||a|| |\n||b||', 'x\n▇▇▇\n▇▇▇'],
    ['| x |\n|---|\n||a\nb|| c', 'x\n▇▇▇ c'],
    ['[a]: https://example.org/||b\n\nc||', '[a]: https://example.org/▇▇▇'],
    [`${'> '.repeat(12)}||a||`, '> > > ▇▇▇'],
    [`${'- '.repeat(12)}||a||`, '• • • • • • • • • - - - ▇▇▇'],
    ['||\na\n\n- b\n||\nc', '▇▇▇\nc'],
    ['||a\n\nb\n||\n\nc', '▇▇▇\nc'],
    ['||\na\n\nb|| c', '▇▇▇ c'],
    ['> ||\n> a\n> ||', '▇▇▇'],
    ['||\n\n||', '||\n||'],
    ['||\na', '||\na'],
    ['a ||\nb\n|| c', 'a ||\nb\n|| c'],
    ['||a\n\nb', '||a\nb'],
    ['a ||b\n\nc || d', 'a ||b\nc || d'],
    ['`||`\n\n- `||` or', '||\n• || or'],
    ['```\n||a\n```\n\nb||', '||a\nb||'],
    [String.raw`\||a` + '\n\nb||', '||a\nb||'],
  ])(
    '[WC248] nothing that the spoiler in %j covers is shown, in whichever blocks it is: %j',
    (content, text) => {
      expect(plainText(content)).toBe(text);
    },
  );

  test('nothing is lost', () => {
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

  test.each([
    ['**a** ||b||', 'spoiler'],
    [String.raw`| \|\|b\|\| |`, 'spoiler'],
    ['**a** | b', 'text'],
  ])(
    '[WC240] that takes more steps than it may is covered if it may have spoilers: %j',
    (content, type) => {
      const { kind, tokens } = parseMarkdown(content, { steps: new Steps(5) });
      expect([kind, ...tokens.map((token) => [token.type, token.raw])]).toEqual([
        'plain',
        [type, content],
      ]);
    },
  );

  test('[WC241] parsed Markdown is cached, and the least recently used text is forgotten first', () => {
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
