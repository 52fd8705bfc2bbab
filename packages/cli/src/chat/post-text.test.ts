import type { Id, ReceivedComment } from '@hearth/sdk';
import { expect, test } from 'bun:test';
import { jsonLine, postIdOf, postText, treeText } from './post-text.ts';

// Guarantee: the tests write decimal numbers.
const idOf = (id: number) => String(id) as Id;
const user = { id: idOf(2), username: 'ada' };
const AT = Date.UTC(2026, 0, 31, 8, 5);

function comment(id: number, change: Partial<ReceivedComment> = {}): ReceivedComment {
  return {
    id: idOf(id),
    post_id: idOf(5),
    channel_id: idOf(110),
    depth: 0,
    user,
    content: `comment ${id}`,
    created_at: AT,
    score: 1,
    upvotes: 1,
    downvotes: 0,
    reply_count: 0,
    version: 1,
    ...change,
  };
}

test('[UC16] comments are a tree, and folded replies are counted below their comment', () => {
  const reply = (id: number, parent: number, depth: number) => ({
    parent_id: idOf(parent),
    depth,
    ...(id === 3 ? { reply_count: 2 } : {}),
  });
  const text = treeText(
    [
      comment(1, { reply_count: 4 }),
      comment(2, reply(2, 1, 1)),
      comment(3, reply(3, 1, 1)),
      comment(4, { content: 'two\nlines', score: -2 }),
    ],
    'hearth post show x 5',
  );
  expect(text).toBe(`
  @ada, 2026-01-31 08:05:00 UTC, 1 point (1)
  comment 1

    @ada, 2026-01-31 08:05:00 UTC, 1 point (2)
    comment 2

    @ada, 2026-01-31 08:05:00 UTC, 1 point (3)
    comment 3
      … 2 more replies: hearth post show x 5 --under 3
    … 2 more replies: hearth post show x 5 --under 1

  @ada, 2026-01-31 08:05:00 UTC, -2 points (4)
  two
  lines
`);
});

test('[UC16] what is only part of a tree begins at the left, and a deleted comment says so', () => {
  const { user: _user, content: _content, ...gone } = comment(9, { depth: 6, deleted: true });
  expect(treeText([gone], 'x')).toBe(
    '\n  deleted, 2026-01-31 08:05:00 UTC, 1 point (9)\n  (deleted)\n',
  );
  expect(treeText([], 'x')).toBe('');
});

test('[UC16][OP53] a post is its title, the facts and the text, without spoilers and control characters', () => {
  const { depth: _d, reply_count: _r, post_id: _p, ...shared } = comment(5);
  const post = {
    ...shared,
    user,
    community_id: idOf(100),
    title: 'Oaks\u001b[31m',
    content: 'One ||the\n\n- mole||\n\nTwo\u0007 `||a||`',
    url: 'https://example.org/oak',
    edited_at: AT,
    locked: true,
    comment_count: 1,
  } as const;
  expect(postText(post)).toBe(`Oaks\ufffd[31m
@ada, 2026-01-31 08:05:00 UTC, 1 point, edited, 1 comment, locked
https://example.org/oak

One [spoiler]

Two\ufffd \`||a||\`
`);
  expect(jsonLine({ title: '\u202e' })).toBe('{"title":"\\u202e"}\n');
});

test.each([
  ['123', '123'],
  [' 123 ', '123'],
  ['https://chat.example.org/c/garden/p/123', '123'],
  ['/c/garden/p/123?sort=new', '123'],
  ['https://chat.example.org/c/garden/p/123#456', '123'],
  ['garden', undefined],
  ['/c/garden/p/oak', undefined],
])('[UC16] the post that %j names', (given, id) => {
  expect(postIdOf(given) as string | undefined).toBe(id);
});
