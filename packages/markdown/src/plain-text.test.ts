import { expect, test } from 'bun:test';
import { plainText } from './plain-text.ts';

test.each([
  ['They are **red**, and *new*.', 'They are red, and new.'],
  [
    '# Tulips\n\n- planted\n- watered **twice**\n\n> Not in frost.',
    'Tulips\n• planted\n• watered twice\nNot in frost.',
  ],
  ['see [the book](https://example.org) and `this`', 'see the book and this'],
  ['it was ||the mole||', 'it was ▇▇▇'],
  [`${'> '.repeat(12)}it was ||the mole||`, '> > > it was ▇▇▇'],
  ['1 < 2 & <b>bold</b>', '1 < 2 & <b>bold</b>'],
  ['```\nlet x;\n```', 'let x;'],
  ['| a | b |\n| - | - |\n| **1** | 2 |', 'a, b\n1, 2'],
  ['', ''],
])('[SY4] the text of %j is %j', (content, text) => {
  expect(plainText(content)).toBe(text);
});

test('[SY4] a text that is too long to be formatted is without its spoilers, too', () => {
  const long = 'a '.repeat(2_001);
  expect(plainText(`${long}it was ||the mole||`)).toBe(`${long}it was ▇▇▇`);
});
