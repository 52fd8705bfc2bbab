import { describe, expect, test } from 'bun:test';
import { runs } from '@hearth/testing/runs';
import fc from 'fast-check';
import { MOST_STEPS, parseMarkdown, parseText } from './parse-markdown.ts';
import { beginningOf, fold } from './fold.ts';
import { excerptOf, plainText } from './plain-text.ts';
import { withoutSpoilers } from './spoilers.ts';
import { Steps } from './steps.ts';

/** Pieces of the syntax. */
const FRAGMENTS = [
  ...[
    'a',
    'word ',
    '\n',
    '\n\n',
    ' ',
    '    ',
    '\t',
    '\r\n',
    '\0',
    '\uD800',
    '🌷',
    '日本',
    '.',
    ',',
  ],
  ...[
    '- ',
    '* ',
    '1. ',
    '2) ',
    '-\n',
    '- [ ] ',
    '> ',
    '>',
    '# ',
    '===\n',
    '---\n',
    '***\n',
    '    a\n',
  ],
  ...[
    '```\n',
    '```a`b\n',
    '~~~\n',
    '`',
    '``',
    '```',
    '*',
    '**',
    '_',
    '__',
    '~~',
    '*a',
    'b* ',
    '*a_',
  ],
  ...[
    '[',
    ']',
    '[a]',
    '(',
    ')',
    '](',
    '[a](b)',
    '[a](<b>',
    '[a](b "',
    '![',
    '[a]: b\n',
    '[a][',
    '\\',
  ],
  ...[
    '<',
    '>',
    '<a ',
    '<a b="',
    "<a b='",
    '</a>',
    '<!--',
    '-->',
    '<div>\n',
    '<?',
    '<![CDATA[',
    '&',
    '&amp;',
  ],
  ...[
    '|',
    '||',
    '||a',
    'a||',
    '|a',
    '|-',
    '|---|\n',
    ':-:|',
    'https://',
    'http://a.b',
    'www.',
    '@',
    'a@b.c',
  ],
  ...[';', ':tada:', '@ada', '#', '!', '"', "'", '=', '+ '],
];

const text = (most: number) =>
  fc.array(fc.constantFrom(...FRAGMENTS), { maxLength: most }).map((parts) => parts.join(''));

/** A text that repeats something twice, with something else between. */
const repetitive = fc.record({
  before: text(3),
  unit: text(6).filter((unit) => unit !== ''),
  between: text(3),
  after: text(3),
});

type Repetitive = typeof repetitive extends fc.Arbitrary<infer Parts> ? Parts : never;

function repeated({ before, unit, between, after }: Repetitive, times: number): string {
  return `${before}${unit.repeat(times)}${between}${unit.repeat(times)}${after}`;
}

/** The example of a list of lazily continued lines, each of which was looked at for every line after it. */
const lazyLists = (characters: number) =>
  Array<string>(10)
    .fill(`- ${'a\n'.repeat(characters / 20)}`)
    .join('\n\nx\n\n');

const HOSTILE: readonly ((characters: number) => string)[] = [
  lazyLists,
  (characters) => '||a\n\nb|| '.repeat(characters / 10),
  (characters) => '||`a\n'.repeat(characters / 5),
  (characters) => '- ||a\n'.repeat(characters / 6),
  (characters) => '@_'.repeat(characters / 2),
  (characters) => `${'||a<!--'.repeat(characters / 7)}-->`,
  (characters) => '```a`b\n'.repeat(characters / 14) + '*a_ '.repeat(characters / 8),
  (characters) =>
    `${'|a'.repeat(characters / 8)}\n${'|-'.repeat(characters / 8)}\n${'|\n'.repeat(characters / 4)}`,
  (characters) => '[a]('.repeat(31) + '[b](c)'.repeat(characters / 6),
  (characters) =>
    Array.from({ length: Math.sqrt(2 * characters) }, (_, at) => `a${'`'.repeat(at)}`).join(''),
  (characters) =>
    Array.from({ length: Math.sqrt(2 * characters) }, (_, at) => `${' '.repeat(at)}- a\n`).join(''),
];

function stepsOf(content: string): number {
  const steps = new Steps(Infinity);
  parseMarkdown(content, { steps });
  return steps.taken;
}

describe('[WC240] the steps of parsing a text', () => {
  test('steps are at most twice as many for twice the text, for the texts that took long', () => {
    for (const make of HOSTILE) {
      const [once, twice] = [stepsOf(make(10_000)), stepsOf(make(20_000))];
      expect(twice / once).toBeLessThan(2.2);
    }
  });

  test('steps are at most twice as many for twice the text, whatever is repeated in it', () => {
    fc.assert(
      fc.property(repetitive, (parts) => {
        const times = Math.ceil(2_000 / parts.unit.length);
        // An odd number of marks may leave one without an end.
        const once = Math.max(...[0, 1, 2].map((more) => stepsOf(repeated(parts, times + more))));
        // Short rows of tables are filled with up to a thousand cells.
        expect(stepsOf(repeated(parts, 2 * times))).toBeLessThan(2.2 * once + 4_000);
      }),
      { numRuns: runs(300) },
    );
  });

  test('steps are at most a fixed number for each character', () => {
    fc.assert(
      fc.property(fc.tuple(repetitive, text(60)), ([parts, other]) => {
        for (const content of [other, repeated(parts, 200)]) {
          expect(stepsOf(content)).toBeLessThanOrEqual(80 * content.length + 1_100);
        }
      }),
      { numRuns: runs(300) },
    );
  });

  test('steps are counted: what takes more than it may is shown as it was written', () => {
    for (const make of HOSTILE) {
      const content = make(40_000);
      expect(parseMarkdown(content).kind).toBe(
        stepsOf(content) > MOST_STEPS ? 'plain' : 'markdown',
      );
    }
    const long = '[a]('.repeat(31) + '[b](c)'.repeat(500_000);
    expect(parseMarkdown(long).kind).toBe('plain');
    expect(parseText(long)).toMatchObject([{ type: 'text' }]);
  });

  test('steps are few enough for spoilers of texts of any length', () => {
    for (const part of ['||a ', '||', '|', '||a|', '\\||', '||a|||']) {
      const content = part.repeat(200_000);
      expect(withoutSpoilers(content).length).toBeLessThanOrEqual(content.length);
      expect(beginningOf(content, 399_999).length).toBeLessThanOrEqual(399_999);
      const { text } = fold(parseMarkdown(content), { characters: 100, lines: 3 });
      expect(text.tokens.length).toBeLessThanOrEqual(3);
      expect(excerptOf(content, 100).text.length).toBeLessThanOrEqual(100);
      expect(plainText(content).length).toBeLessThanOrEqual(content.length + 3);
    }
  });
});
