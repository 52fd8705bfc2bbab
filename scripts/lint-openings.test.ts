import { describe, expect, test } from 'bun:test';
import { docstringsIn, titlesIn } from './lint-openings.ts';

describe('docstrings', () => {
  test.each(['What', 'Who', 'Whom', 'Whether', 'How', 'Where', 'Those', 'Of', 'of', 'The same'])(
    'a docstring that begins with "%s" is found, on one line and on several',
    (word) => {
      const source = `/** ${word} it is. */\n  x: string;\n\n  /**\n   * ${word} it is,\n   * or was.\n   */\n`;
      expect(docstringsIn(source)).toEqual([
        { line: 1, text: `${word} it is.` },
        { line: 4, text: `${word} it is,\nor was.` },
      ]);
    },
  );

  test('docstrings that begin with a noun or a verb, other comments and patterns of paths are not found', () => {
    const source = `
      /** Returns whether it is there. How much it takes does not matter. */
      /** Whatever comes. */
      /** Often. */
      // What
      /* What */
      glob('**/*.ts', 'What');`;
    expect(docstringsIn(source)).toEqual([]);
  });
});

describe('titles', () => {
  test.each([
    `test('is bold', () => {});`,
    `test('of nothing is an error', () => {});`,
    `test.each([1])('[ST6a][WC4] takes %s', () => {});`,
    `test.each([\n  'a)',\n])('keeps %s', () => {});`,
    `test.skipIf(isThere(1))("keeps what is 'there'", () => {});`,
    `test(\n  \`has \${count}\`,\n  () => {},\n);`,
    `test('answers the first', () => {});`,
    `test('counts every request', () => {});`,
    `describe('reads', () => {});`,
  ])('%j is found', (source) => {
    expect(titlesIn(source)).toHaveLength(1);
  });

  test.each([
    `test('[ST6a] a message is bold', () => {});`,
    `test('answers are short', () => {});`,
    `test('writes are found', () => {});`,
    `test('posts of others stay', () => {});`,
    `test('offices open', () => {});`,
    `await request('is bold');`,
  ])('%j is not found', (source) => {
    expect(titlesIn(source)).toEqual([]);
  });

  test('the line and the title without its rules are reported', () => {
    expect(titlesIn(`\ntest('[ST6a] is bold', () => {});`)).toEqual([{ line: 2, text: 'is bold' }]);
  });
});
