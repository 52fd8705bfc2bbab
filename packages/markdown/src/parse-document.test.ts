import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { parseDocument } from './parse-document.ts';
import { MOST_PARSED_CHARACTERS } from './parse-markdown.ts';

const kinds = (content: string) => parseDocument(content).map(({ kind }) => kind);
const rawOf = (content: string) =>
  parseDocument(content)
    .map((part) => (part.kind === 'plain' ? part.text : part.tokens.map(({ raw }) => raw).join('')))
    .join('');

describe('a document', () => {
  test('that is short is one section', () => {
    expect(kinds('# a\n\nb')).toEqual(['markdown']);
    expect(kinds('')).toEqual([]);
  });

  test('that is long is Markdown in each of its sections', () => {
    const paragraph = `some **bold** words\n${'word '.repeat(200)}\n\n`;
    expect(new Set(kinds(paragraph.repeat(30)))).toEqual(new Set(['markdown']));
    expect(kinds(paragraph.repeat(30)).length).toBeGreaterThan(5);
  });

  test('is shown as it was written only in the section that would take long', () => {
    const dense = '*'.repeat(1_300);
    const text = `first\n\n${'word '.repeat(700)}\n\n${dense}\n\n${'word '.repeat(700)}`;
    expect(kinds(text)).toEqual(['markdown', 'plain', 'markdown']);
  });

  test('is not divided within code or a list', () => {
    const code = `\`\`\`\n${'line\n\n'.repeat(400)}\`\`\`\n`;
    const list = '- item\n\n  more of it\n\n'.repeat(150);
    const sections = parseDocument(`${'word '.repeat(700)}\n\n${code}\nafter\n\n${list}`);
    const types = sections.flatMap((part) =>
      part.kind === 'plain' ? ['plain'] : part.tokens.map(({ type }) => type),
    );
    expect(types.filter((type) => type !== 'space')).toEqual([
      'paragraph',
      'code',
      'paragraph',
      'list',
    ]);
  });

  test('loses nothing', () => {
    const line = fc.constantFrom(
      'word',
      '',
      '```',
      '~~~~',
      '- item',
      '  indented',
      '# head',
      '> quote',
    );
    fc.assert(
      fc.property(
        fc.array(line, { maxLength: 40 }),
        fc.integer({ min: 0, max: 3 }),
        (lines, long) => {
          const text = `${lines.join('\n')}\n\n${'word '.repeat(long * 700)}\n\n${lines.join('\n')}`;
          const words = (of: string) => of.split(/\s+/).filter((each) => each !== '');
          expect(words(rawOf(text))).toEqual(words(text));
        },
      ),
    );
    expect(rawOf('a'.repeat(MOST_PARSED_CHARACTERS * 3))).toHaveLength(MOST_PARSED_CHARACTERS * 3);
  });
});
