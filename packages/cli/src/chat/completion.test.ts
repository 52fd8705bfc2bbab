import { expect, test } from 'bun:test';
import { Completer, completionsOf } from './completion.ts';

const NAMES = ['Ada', 'Adam Smith', 'bob'];

test.each([
  ['/n', [['/nick '], '/n']],
  ['/', [expect.arrayContaining(['/open ', '/quit ']), '/']],
  ['/nothing', [[], '/nothing']],
  ['@b', [['@bob '], '@b']],
  ['hi @ad', [['@Ada ', '@Adam Smith '], '@ad']],
  ['hi @adam s', [['@Adam Smith '], '@adam s']],
  ['@', [['@Ada ', '@Adam Smith ', '@bob '], '@']],
  ['hi @ada how are', undefined],
  ['a@b', undefined],
  ['hello', undefined],
  ['/upload a', undefined],
  ['', undefined],
  ['/join', [['/join '], '/join']],
])('[OP57] Tab after %j offers %j', (text, completions) => {
  expect(completionsOf(text, NAMES) as unknown).toEqual(completions);
});

test.each([
  ['/join ', [['lobby ', 'garden/Trees ', 'garden/moss '], '']],
  ['/join GARDEN/t', [['garden/Trees '], 'GARDEN/t']],
  ['/join moss', [[], 'moss']],
  ['/join @a', [[], '@a']],
  ['to /join ga', undefined],
])('[UC9] Tab after %j offers the places %j', (text, completions) => {
  const places = ['garden/Trees', 'garden/moss'];
  expect(completionsOf(text, NAMES, places) as unknown).toEqual(completions);
});

test('[OP57][SE3] Tab completes names as a search finds them', () => {
  expect(completionsOf('@ILK', ['İlker', 'كَتَبَ'])).toEqual([['@İlker '], '@ILK']);
  expect(completionsOf('@كت', ['İlker', 'كَتَبَ'])).toEqual([['@كَتَبَ '], '@كت']);
});

/** Returns what a line becomes with each press of Tab, and what is listed. */
function pressed(text: string, times: number, names: readonly string[] = NAMES) {
  const completer = new Completer();
  const lines: string[] = [];
  const listed: string[] = [];
  let line = text;
  for (let count = 0; count < times; count += 1) {
    const completion = completer.complete(line, names);
    line = completion.text ?? `${line}<tab>`;
    lines.push(line);
    if (completion.listed !== '') listed.push(completion.listed);
  }
  return { lines, listed };
}

test.each<readonly [string, readonly string[], readonly string[]]>([
  // The common part first, then each word in its place, and the first one again.
  ['hi @ad', ['hi @Ada', 'hi @Ada ', 'hi @Adam Smith ', 'hi @Ada '], []],
  // Nothing in common: they are listed once.
  ['@', ['@', '@Ada ', '@Adam Smith ', '@bob ', '@Ada '], ['@Ada  @Adam Smith  @bob']],
  ['/nothing', ['/nothing', '/nothing'], []],
  ['hello', ['hello<tab>', 'hello<tab><tab>'], []],
])('[OP57] further Tabs after %j go through the words: %j', (text, lines, listed) => {
  expect(pressed(text, lines.length)).toEqual({ lines: [...lines], listed: [...listed] });
});

test('[OP57] a word is replaced by a shorter one that it begins with', () => {
  const { lines } = pressed('@ada', 4, ['Ada Smith', 'Ada']);
  expect(lines).toEqual(['@Ada ', '@Ada Smith ', '@Ada ', '@Ada Smith ']);
});

test('[OP57] a text that was changed after Tab is completed from the beginning', () => {
  const completer = new Completer();
  expect(completer.complete('@ad', NAMES).text).toBe('@Ada');
  expect(completer.complete('@Adam', NAMES).text).toBe('@Adam Smith ');
  expect(completer.complete('/ni', NAMES).text).toBe('/nick ');
});

test('[OP57] at most 20 words are listed', () => {
  const names = Array.from({ length: 200 }, (_, index) => `${index}`);
  const [listed = ''] = pressed('@', 1, names).listed;
  expect(listed).toStartWith('@0  @1  ');
  expect(listed).toEndWith('  @19  and 180 more');
});
