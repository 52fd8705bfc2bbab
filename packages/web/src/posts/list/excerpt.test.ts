import { expect, test } from 'bun:test';
import { excerptOf, hostOf } from './excerpt.ts';

test.each([
  ['# Heads\n\n- one\n- **two**', 'Heads – one, two'],
  [
    'We need:\n1. beans\n2. peas;\n3) *salt*\n\nand - as ever - rain',
    'We need: 1. beans, 2. peas; 3) salt – and - as ever - rain',
  ],
  ['- one\n  - one half\n\n- two.\n- three', 'one, one half, two. three'],
  ['see [the book](https://example.org) or `this`', 'see the book or this'],
  ['it was ||the mole||', 'it was ▇▇▇'],
  ['before\n```js\nlet hidden;\n```\nafter', 'before – after'],
  [
    '- planted\n- watered\n\n> Not *now*\n> or soon\n\nWhy?',
    'planted, watered – Not now or soon – Why?',
  ],
  [
    '**Plan:**\n\n- one\n  more of it\n\nsoon\n\n---\n\nor not',
    'Plan: one more of it – soon – or not',
  ],
  [
    'a line\nthe same paragraph\n\nit was ||the\n\nmole||',
    'a line the same paragraph – it was ▇▇▇',
  ],
  ['🌷'.repeat(400), `${'🌷'.repeat(320)}…`],
])('[WC182][WC182b] the excerpt of %j is %s', (content, expected) => {
  expect(excerptOf(content)).toBe(expected);
});

test('the host of an address is shown without www', () => {
  expect(hostOf('https://www.example.org/a?b')).toBe('example.org');
  expect(hostOf('nothing')).toBe('nothing');
});
