import { expect, test } from 'bun:test';
import { avoidedIn, findingsIn } from './lint-words.ts';

const STYLE = `# Style

| Avoid | Write | Allowed |
|---|---|---|
| anew | again | |
| behind, tells | after | \`behind a proxy\` |
`;

test('every row of the table names words, what to write instead and what is allowed', () => {
  const [first, second] = avoidedIn(STYLE);
  expect(first).toMatchObject({ instead: 'again', allowed: [] });
  expect(second).toMatchObject({ instead: 'after', allowed: ['behind a proxy'] });
  expect(() => avoidedIn('# Style')).toThrow('no table');
});

test('a word is found in any case and as a whole word only, with its line', () => {
  const findings = findingsIn('fine\nAnew, begun behind it\nforetells anewly', avoidedIn(STYLE));
  expect(findings).toEqual([
    { line: 2, word: 'Anew', instead: 'again' },
    { line: 2, word: 'behind', instead: 'after' },
  ]);
});

test('an allowed phrase is not reported, and does not hide another use in its line', () => {
  const avoided = avoidedIn(STYLE);
  expect(findingsIn('an instance behind a proxy', avoided)).toEqual([]);
  expect(findingsIn('behind a proxy, behind the last', avoided)).toHaveLength(1);
});
