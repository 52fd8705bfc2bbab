import { expect, test } from 'bun:test';
import { likelyWord, nearest } from './nearest.ts';

test('[CF9] the word with the fewest edits is found', () => {
  expect(nearest('mesage_limit', ['url', 'message_limit', 'rate_limits'])).toBe('message_limit');
});

test('[CF9] the nearest word is found even if it is far away', () => {
  expect(nearest('zzzzzzzzzz', ['start', 'static'])).toBe('start');
  expect(nearest('', ['start', 'stop'])).toBe('stop');
});

test('the case of letters is ignored', () => {
  expect(nearest('OPRISH', ['effis', 'oprish'])).toBe('oprish');
  expect(nearest('oprish', ['effis', 'OPRISH'])).toBe('OPRISH');
  expect(nearest('messagelimit', ['Message_Limit', 'messages'])).toBe('Message_Limit');
});

test('the first of equally near words is found', () => {
  expect(nearest('bat', ['cat', 'hat'])).toBe('cat');
});

test('an empty list has no nearest word', () => {
  expect(nearest('start', [])).toBeUndefined();
});

test.each([
  ['strat', 'start'],
  ['statc', 'static'],
  ['ad', 'add'],
  ['--hepl', '--help'],
  ['HELP', 'help'],
])('%s is a misspelling of %s', (word, meant) => {
  expect(likelyWord(word, ['start', 'static', 'add', '--help', '-h', 'help'])).toBe(meant);
});

test.each(['', 'frobnicate', 'list', 'xx', '-x', '--josn'])('%j is not a misspelling', (word) => {
  expect(likelyWord(word, ['start', 'static', 'add', '--help', '-h'])).toBeUndefined();
});
