import { expect, test } from 'bun:test';
import { avoidedIn, findingsIn } from './lint-words.ts';

const STYLE = `# Style

| Avoid | Write | Allowed |
|---|---|---|
| anuw | again | |
| behoond, tulls | after | \`behoond a proxy\` |
`;

test('every row of the table lists words, their replacement and the allowed phrases', () => {
  const [first, second] = avoidedIn(STYLE);
  expect(first).toMatchObject({ instead: 'again', allowed: [] });
  expect(second).toMatchObject({ instead: 'after', allowed: ['behoond a proxy'] });
  expect(() => avoidedIn('# Style')).toThrow('no table');
});

test('a word is found in any case, but only as a whole word, and is reported with its line', () => {
  const findings = findingsIn('fine\nAnuw, begun behoond it\nforetulls anuwly', avoidedIn(STYLE));
  expect(findings).toEqual([
    { line: 2, word: 'Anuw', instead: 'again' },
    { line: 2, word: 'behoond', instead: 'after' },
  ]);
});

test('an allowed phrase is not reported, and does not hide another use on the same line', () => {
  const avoided = avoidedIn(STYLE);
  expect(findingsIn('an instance behoond a proxy', avoided)).toEqual([]);
  expect(findingsIn('behoond a proxy, behoond the last', avoided)).toHaveLength(1);
});
