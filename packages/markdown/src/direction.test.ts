import { expect, test } from 'bun:test';
import { directionOf, type Direction } from './direction.ts';
import { parseMarkdown } from './parse-markdown.ts';

test.each<readonly [string, Direction | undefined]>([
  ['- مرحبا\n- hello', 'rtl'],
  ['1. שלום', 'rtl'],
  ['> - 1. مرحبا', 'rtl'],
  ['> > **ܫܠܡܐ** hello', 'rtl'],
  ['- hello שלום', 'ltr'],
  ['> *٢٠٢٦* こんにちは', 'ltr'],
  ['> ```\n> const a = 1;\n> ```\n> مرحبا', 'rtl'],
  ['> https://example.org שלום', 'rtl'],
  ['> [שלום](https://example.org)', 'rtl'],
  ['- [x] שלום', 'rtl'],
  ['> ||שלום|| hello', 'rtl'],
  ['| א | b |\n|---|---|\n| c | d |', 'rtl'],
  ['> \u200fhello', 'rtl'],
  ['- 1 + 1 = 2', undefined],
  ['> ![](https://example.org/a.png)', undefined],
])('[WC362] the direction of %j is %p', (content, direction) => {
  expect(directionOf(parseMarkdown(content).tokens)).toBe(direction);
});
