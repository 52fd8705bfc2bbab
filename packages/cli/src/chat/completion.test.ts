import { expect, test } from 'bun:test';
import { completionsOf } from './completion.ts';

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
])('[OP57] Tab after %j offers %j', (text, completions) => {
  expect(completionsOf(text, NAMES) as unknown).toEqual(completions);
});
