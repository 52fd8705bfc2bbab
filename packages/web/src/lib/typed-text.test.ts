import { expect, test } from 'bun:test';
import { typedText } from './typed-text.ts';

test.each([
  [' Ada ', 'Ada'],
  ['\u200b\u3164', ''],
  [' \u2800 ', ''],
  ['👨‍👩‍👧', '👨‍👩‍👧'],
])('[HT13] %j that somebody types is sent as %j', (typed, sent) => {
  expect(typedText(typed)).toBe(sent);
});
