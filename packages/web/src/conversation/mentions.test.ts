import { expect, test } from 'bun:test';
import { splitMentions } from './mentions.ts';

test('[WC33] a text is split at mentions, and nothing of it is lost', () => {
  expect(splitMentions('hi @Ada, @ada!', 'ada')).toEqual(['hi ', '@Ada', ', ', '@ada', '!']);
  for (const text of ['', 'nothing', '@ada', '@adam @ada @ada']) {
    expect(splitMentions(text, 'Ada').join('')).toBe(text);
  }
});
