import { readQuote } from '@hearth/sdk';
import { expect, test } from 'bun:test';
import { concernsReader, splitMentions } from './mentions.ts';

test('[WC33] a text is split at mentions, and nothing of it is lost', () => {
  expect(splitMentions('hi @Ada, @ada!', 'ada')).toEqual(['hi ', '@Ada', ', ', '@ada', '!']);
  expect(splitMentions('ada: hi', 'ada')).toEqual(['ada: hi']);
  for (const text of ['', 'nothing', '@ada', '@adam @ada @ada']) {
    expect(splitMentions(text, 'Ada').join('')).toBe(text);
  }
});

test.each([
  ['hi @ada', true],
  ['ada: hi', true],
  ['hi all', false],
  ['> **ada**: hello\n\nand to you', true],
  ['> **alan**: hello @ada\n\nand to you', false],
  ['> **alan**: hello\n\nas @ada said', true],
])(
  '[WC33][WC33a] mentions and replies concern the reader, and quoted mentions do not: %j',
  (text, is) => {
    expect(concernsReader(text, readQuote(text), 'ada')).toBe(is);
    expect(concernsReader(text, readQuote(text), '')).toBe(false);
  },
);
