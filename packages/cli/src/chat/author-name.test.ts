import type { Id } from '@hearth/sdk';
import { expect, test } from 'bun:test';
import { authorName } from './author-name.ts';

test('[OP71] the name of an account begins with an @, and that of a guest never does', () => {
  // Guarantee: it is an identifier.
  const user = { id: '7' as Id, username: 'ada' };
  expect(authorName({ author: 'ada', user })).toBe('@ada');
  expect(authorName({ author: 'deleted', user })).toBe('@deleted');
  expect(['ada', 'deleted', 'a@b'].map((author) => authorName({ author }))).toEqual([
    ...['ada', 'deleted', 'a@b'],
  ]);
  for (const author of ['@ada', '\u200B@ada', ' @ada', '\uFF20ada', '\uFE6Bada']) {
    expect(authorName({ author })).toBe(`\\${author}`);
  }
});
