import { expect, test } from 'bun:test';
import { join } from 'node:path';
import { readAll, readRules, ROOT, rulesOf } from './support/spec-rules.ts';

const numbers = '[A-Z]{2}[0-9]+[a-z]?(?:,\\s*[A-Z]{2}[0-9]+[a-z]?)*';
// A title is the first argument of a call, as in test('…'), describe.each(table)('…') and fileContract(`…`).
const titles = /\(\s*(?:'((?:\\.|[^'\\\n])*)'|"((?:\\.|[^"\\\n])*)"|`((?:\\.|[^`\\])*)`)/g;

/** The numbers in square brackets in the titles of a test file. Comments do not count. */
function quotedIn(source: string): string[] {
  const code = source.replaceAll(/^\s*(?:\/\/|\/?\*).*$/gm, '');
  return [...code.matchAll(titles)].flatMap(([, single, double, template]) => {
    const title = single ?? double ?? template ?? '';
    return [...title.matchAll(new RegExp(`\\[(${numbers})\\]`, 'g'))].flatMap(([, group = '']) =>
      group.split(/,\s*/),
    );
  });
}

/** The files that quote a number. */
async function readQuotes(): Promise<Map<string, Set<string>>> {
  const quotes = new Map<string, Set<string>>();
  const files = [
    ...(await readAll('packages/*/{src,test}/**/*.{ts,tsx}')),
    ...(await readAll('scripts/*.test.ts')),
    ...(await readAll('deploy/test/*.test.ts')),
  ];
  for (const { file, text } of files) {
    const isTest = file.endsWith('.test.ts') || /\btest\b[\w.]*\(/.test(text);
    if (!isTest || join(ROOT, file) === import.meta.path) continue;
    for (const number of quotedIn(text))
      quotes.set(number, (quotes.get(number) ?? new Set()).add(file));
  }
  return quotes;
}

const rules = await readRules();
const quotes = await readQuotes();

/** CM12a and CM12b are parts of CM12. A title that quotes a part, or the whole as it was before, may prove each of them. */
function wholeOf(number: string): string {
  return number.replace(/[a-z]$/, '');
}

test('every rule of the specification is quoted by the title of a test', () => {
  const wholes = new Set(Array.from(quotes.keys(), wholeOf));
  const untested = rules.filter(
    ({ number, text }) =>
      !quotes.has(number) && !wholes.has(wholeOf(number)) && !text.includes('(by design'),
  );
  expect(untested.map(({ number, file }) => `${number} (${file}) has no test`)).toEqual([]);
});

test('every number that a title quotes is a rule of the specification', () => {
  const known = new Set(rules.map(({ number }) => number));
  const unknown = [...quotes].filter(([number]) => !known.has(number));
  expect(
    unknown.map(([number, files]) => `${number} is no rule: ${[...files].join(', ')}`),
  ).toEqual([]);
});

test('no number is given to two rules', () => {
  const byNumber = Map.groupBy(rules, ({ number }) => number);
  const repeated = [...byNumber.values()].filter((same) => same.length > 1);
  expect(
    repeated.map((same) => same.map(({ number, file }) => `${number} in ${file}`).join(' and ')),
  ).toEqual([]);
});

test('the table of chapters lists every chapter with the prefix of its rules', async () => {
  const [, table = ''] = (await Bun.file(join(ROOT, 'docs/spec/README.md')).text()).split(
    '## Chapters',
  );
  const rows = table.replaceAll(/ +/g, ' ');
  const unlisted = rules
    .filter(({ file }) => file !== 'docs/spec/README.md')
    .map(({ number, file }) => [number.slice(0, 2), file.slice('docs/spec/'.length)] as const)
    .map(([prefix, name]) => `| ${prefix} | [${name}](${name}) |`)
    .filter((row) => !rows.includes(row));
  expect([...new Set(unlisted)], 'docs/spec/README.md lacks these rows').toEqual([]);
});

test('at most a handful of rules are untested by design', () => {
  expect(rules.length).toBeGreaterThan(100);
  expect(rules.filter(({ text }) => text.includes('(by design')).length).toBeLessThanOrEqual(5);
});

test('a rule is a list item that begins with a number in bold, with the lines that follow', () => {
  const chapter =
    '# XY\n\nNot **XY9**.\n\n- **XY1** One\n  and (by design) more.\n- **XY2a** Two.\n\nAfter (by design).\n';
  expect(rulesOf('xy.md', chapter)).toEqual([
    { number: 'XY1', file: 'xy.md', text: '- **XY1** One\n  and (by design) more.' },
    { number: 'XY2a', file: 'xy.md', text: '- **XY2a** Two.' },
  ]);
});

test.each<[source: string, expected: string[]]>([
  ["test('[XY1] it is', () => {});", ['XY1']],
  ["test('[XY1][XY2a] they are', () => {});", ['XY1', 'XY2a']],
  ['describe("[XY1, XY2] they", () => {});', ['XY1', 'XY2']],
  ["test.each(sizes)(\n  '[XY3] takes %s',", ['XY3']],
  ['test.skipIf(skip)(`${engine}: [XY4] keeps it`, run);', ['XY4']],
  ["test('it\\'s [XY5]', run); test('[XY6]', run);", ['XY5', 'XY6']],
  ["// test('[XY7] one day')\n/** test('[XY8]') */\n * test('[XY9]')", []],
  ["const table = ['[XY1]']; rows[XY2];", []],
])('the numbers that %p quotes are read', (source, expected) => {
  expect(quotedIn(source)).toEqual(expected);
});
