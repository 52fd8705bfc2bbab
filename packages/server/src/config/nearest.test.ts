import { expect, test } from 'bun:test';
import { likelyWord, nearest } from './nearest.ts';

test('[CF9] finds the word that takes the fewest edits', () => {
  expect(nearest('mesage_limit', ['url', 'message_limit', 'rate_limits'])).toBe('message_limit');
});

test('[CF9] finds the nearest word however far it is', () => {
  expect(nearest('zzzzzzzzzz', ['start', 'static'])).toBe('start');
  expect(nearest('', ['start', 'stop'])).toBe('stop');
});

test('looks past the case of letters', () => {
  expect(nearest('OPRISH', ['effis', 'oprish'])).toBe('oprish');
  expect(nearest('oprish', ['effis', 'OPRISH'])).toBe('OPRISH');
  expect(nearest('messagelimit', ['Message_Limit', 'messages'])).toBe('Message_Limit');
});

test('prefers the first of equally near words', () => {
  expect(nearest('bat', ['cat', 'hat'])).toBe('cat');
});

test('finds nothing among no words', () => {
  expect(nearest('start', [])).toBeUndefined();
});

test.each([
  ['strat', 'start'],
  ['statc', 'static'],
  ['ad', 'add'],
  ['--hepl', '--help'],
  ['HELP', 'help'],
])('takes %s for a misspelling of %s', (word, meant) => {
  expect(likelyWord(word, ['start', 'static', 'add', '--help', '-h', 'help'])).toBe(meant);
});

test.each(['', 'frobnicate', 'list', 'xx', '-x', '--josn'])(
  'takes %j for a misspelling of nothing',
  (word) => {
    expect(likelyWord(word, ['start', 'static', 'add', '--help', '-h'])).toBeUndefined();
  },
);
