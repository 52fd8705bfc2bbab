import { expect, test } from 'bun:test';
import { growthOf, LINEAR } from '@hearth/testing/growth';
import { foldedName, mentionWords } from './mention-words.ts';

test.each([
  ['nothing here', []],
  ['@Bob', ['@bob']],
  ['hey @bob, and @eve.', ['@bob, bob', '@eve. eve']],
  ["@bob's cat", ["@bob's bob"]],
  ['mail bob@example.org or see https://x.org/@bob', []],
  ['(@bob)', ['@bob) bob']],
  ['@bob @BOB @bob', ['@bob']],
  ['`@bob` ```\n@eve\n``` @cyd', ['@eve', '@cyd']],
  ['    @bob\n\n@eve', ['@eve']],
  ['```\n@bob', []],
  ['````\n```\n@bob\n````\n@eve', ['@eve']],
  ['~~~ @bob\n@eve\n~~~', []],
  ['``a ` @bob`` @eve', ['@eve']],
  [String.raw`\@bob @eve`, ['@eve']],
  [String.raw`\#general`, []],
  ['@_bob_ and #_general_', ['@_bob_ _bob', '#_general_ _general']],
  ['_thanks @bob_', ['@bob']],
  ['||@bob|| [@eve](https://example.org)', ['@bob', '@eve']],
  ['https://example.org/?to=@bob <https://example.org/?to=@eve>', []],
  ['&#64;bob', ['@bob']],
  ['`not closed @bob', ['@bob']],
  ['#general! @C++', ['#general! general', '@c++ c']],
  ['@ＢＯＢ ＠bob', ['@bob']],
  ['@a_b.c-', ['@a_b.c- a_b.c']],
  ['@@bob ##x @ #', []],
  ['@\u0000 @‮bob', ['@\u0000', '@bob']],
])('[CM12] the words that may mention something in %j', (content, expected) => {
  const found = mentionWords(content).map(({ sign, forms }) => `${sign}${forms.join(' ')}`);
  expect(found).toEqual(expected);
});

test('[CM12] a text has no more than 200 such words, and the time for a hostile one grows with its size only', () => {
  const names = Array.from({ length: 1_000 }, (_, i) => `@user${i}`).join(' ');
  expect(mentionWords(names)).toHaveLength(200);
  for (const part of ['@', '`', '@.', '```', '~~~', '#a@', '@a.', '@_', '_@a']) {
    const read = (size: number) => void mentionWords(part.repeat(size));
    expect([part, growthOf(read, 40_000) < LINEAR]).toEqual([part, true]);
  }
});

test('[CM12] a name with spaces is written with dashes', () => {
  expect(foldedName(' Tea  Lovers ')).toBe('tea-lovers');
});
