import { describe, expect, test } from 'bun:test';
import { runs } from '@hearth/testing/runs';
import fc from 'fast-check';
import { beginningOf, fold } from './fold.ts';
import { firstOf } from './first-of.ts';
import { MarkdownCache } from './markdown-cache.ts';
import { namingTexts } from './named-texts.ts';
import { parseMarkdown, type MessageText } from './parse-markdown.ts';
import { excerptOf, plainLines, plainText, withEllipsis } from './plain-text.ts';
import type { MessageToken } from './tokens.ts';

const SECRET = 'secret';

/** Marks of every kind. */
const piece = fc.constantFrom(
  ...['*', '**', '_', '~~', '`', '``', '[', '](https://example.org)', '![', '](', '"', '(', ')'],
  ...['> ', '- ', '1. ', '# ', '\n', '\n\n', ' ', '> '.repeat(12), '**_'.repeat(12), '    '],
  ...['```\n', '~~~\n', '| a |\n|---|\n', '| ', '===\n', '---\n', '[a]: ', '[a]: b\n', '\\\\'],
  ...['<b>', '<a title="', '<div>\n', '<!-- ', '-->', 'https://example.org/', 'a@b.org', '@ada'],
  ...['word ', 'a || b ', '&#124;', '\u{1F337}', '\r\n'],
);
const pieces = fc.array(piece, { maxLength: 12 }).map((parts) => parts.join(''));

/** Texts with a spoiler that may go over several lines. */
const covering = fc
  .record({ before: pieces, inner: pieces, middle: pieces, after: pieces })
  .filter(({ before, inner, middle, after }) => {
    const isEdge = /[|\\]$/.test(before) || after.startsWith('|');
    return !isEdge && !`${inner}${middle}`.includes('||') && !/[|\\]$/.test(inner + middle);
  })
  .chain(({ before, inner, middle, after }) => {
    const secret = `${SECRET}${inner}${SECRET}${middle}${SECRET}`;
    const length = before.length;
    return fc.constantFrom(
      { content: `${before}||${secret}||${after}`, length },
      { content: `${before}\n||\n${secret}\n||\n${after}`, length },
      { content: `a ||b\n\n${before}||${secret}||${after}`, length: length + 7 },
    );
  });

/** All that a reader sees of a text without asking for more. */
function seen({ tokens }: Pick<MessageText, 'tokens'>): string {
  return tokens
    .map((token: MessageToken): string => {
      if (token.type === 'spoiler') return '';
      if (token.type === 'list') return seen({ tokens: token.items });
      if (token.type === 'table') {
        return [token.header, ...token.rows].flat().map(seen).join(' ');
      }
      if (token.type === 'link' || token.type === 'image') return `${token.text} ${seen(token)}`;
      if ('tokens' in token && token.tokens !== undefined) return seen({ tokens: token.tokens });
      return 'text' in token ? token.text : token.raw;
    })
    .join(' ');
}

const isHidden = (content: string) => !seen(parseMarkdown(content)).includes(SECRET);

describe('[WC249] what a spoiler covers is in no part of a text that is cut or folded', () => {
  test('if it is covered in the whole text, in whichever place the cut is', () => {
    fc.assert(
      fc.property(covering, fc.nat({ max: 60 }), ({ content, length }, more) => {
        fc.pre(isHidden(content));
        const most = Math.min(length + more, content.length);
        const limits = { characters: most, lines: 1 + (more % 4) };
        const shown = [
          seen(fold(parseMarkdown(content), limits).text),
          seen(parseMarkdown(beginningOf(content, most))),
          seen(parseMarkdown(firstOf(content, most), { isBeginning: true })),
          plainText(content, { addresses: 'all' }),
          excerptOf(content, most, { isOwn: true }).text,
        ];
        for (const text of shown) {
          expect([content, most, text]).toEqual([
            content,
            most,
            expect.not.stringContaining(SECRET),
          ]);
        }
      }),
      { numRuns: runs(500) },
    );
  });

  test('if the excerpt is cut before the spoiler ends, or the spoiler is long', () => {
    const long = `It was ||${`${SECRET} `.repeat(2_000)}\n\n${SECRET}|| again`;
    expect(withEllipsis(excerptOf(long, 100))).toBe('It was ▇▇▇…');
    expect(beginningOf(long, 1_000)).toBe('It was ');
    const { text, isCut } = fold(parseMarkdown(long), { characters: 3_000 });
    expect(isCut).toBe(true);
    expect(text.tokens).toMatchObject([
      { type: 'paragraph', tokens: [{ text: 'It was ' }, { type: 'spoiler' }] },
    ]);
    for (const most of [8, 9, 10, 20])
      expect(excerptOf(`It was ||${SECRET}||`, most).text).not.toContain('s|');
  });

  test('if bars before it begin nothing, or code in HTML makes one spoiler of several', () => {
    const content = `Run a ||b.\n\nIt was ||${SECRET}|| who did it.`;
    expect(beginningOf(content, content.length - 3)).toBe(content.slice(0, -3));
    const written = `<pre>\n||a||${SECRET}||`;
    expect(beginningOf(written, written.length - 1)).toBe('<pre>\n');
  });

  test.each(['> ', '- ', '1. ', '> - ', '  '])(
    'if its bars stand alone on lines that begin with %j, whatever is between them',
    (mark) => {
      const others = mark.replaceAll(/[^>]/g, ' ');
      const lines = [`${mark}||`, `${others}- ${SECRET}`, others, `${others}${SECRET}`];
      expect(plainText([...lines, `${others}||`].join('\n'))).toMatch(/^(?:[•1. ]*)▇▇▇$/);
    },
  );

  test('in texts with many marks, and below nine quotes', () => {
    const many = `${'**a** `b` _c_ '.repeat(300)}||${SECRET}||`;
    expect(isHidden(many)).toBe(true);
    expect(isHidden(`${'> '.repeat(9)}||${SECRET}||`)).toBe(true);
    expect(isHidden(`${'> '.repeat(12)}||${SECRET}||`)).toBe(true);
  });
});

describe('[WC249] a folded text', () => {
  test.each([
    [
      '**aaaa bbbb**',
      { characters: 6 },
      [{ type: 'strong', tokens: [{ text: 'aaaa b' }, { text: '…' }] }],
    ],
    ['aaaa bbbb', { characters: 9 }, [{ text: 'aaaa bbbb' }]],
    ['🌷🌷', { characters: 3 }, [{ text: '🌷' }, { text: '…' }]],
  ])('a folded text keeps the marks that the cut of %j is in', (content, limits, tokens) => {
    const { text } = fold(parseMarkdown(content), limits);
    expect(text.tokens).toMatchObject([{ type: 'paragraph', tokens }]);
  });

  test('a folded text has at most so many lines, in blocks of every kind', () => {
    const texts = ['a\n'.repeat(9), '- a\n'.repeat(9), 'a\n\n'.repeat(9), '> a\n'.repeat(9)];
    for (const content of [...texts, `\`\`\`\n${'a\n'.repeat(9)}\`\`\``, '1. a\n\n'.repeat(9)]) {
      const { text, isCut } = fold(parseMarkdown(content), { characters: 1_000, lines: 3 });
      const lines = plainLines(text).filter((line) => line.text.includes('a'));
      expect([content, isCut, lines.length]).toEqual([content, true, 3]);
      expect(fold(parseMarkdown(content), { characters: 1_000, lines: 9 }).isCut).toBe(false);
    }
  });

  test('a folded text is the same text if it is short', () => {
    const text = new MarkdownCache().get('a\n\n- b');
    expect(fold(text, { characters: 3_000, lines: 60 }).text).toBe(text);
  });
});

test('[SK8] an excerpt is not cut within what a reader sees as one character', () => {
  const family = '👩‍👩‍👧‍👦';
  expect(excerptOf(`ab${family}c`, 4)).toEqual({ text: 'ab', isCut: true });
  expect(excerptOf(`ab${family}c`, 9)).toEqual({ text: `ab${family}`, isCut: true });
  expect(excerptOf('abc', 3)).toEqual({ text: 'abc', isCut: false });
});

test('[CM12][CM12a] a text without signs is not parsed, and neither is what names nothing', () => {
  for (const content of ['||a|| **b**', 'a @ b # c', '']) expect(namingTexts(content)).toEqual([]);
});
