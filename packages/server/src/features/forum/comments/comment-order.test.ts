import { communityStream, formatId, type Id } from '@hearth/protocol';
import { fakeClock } from '@hearth/testing/fake-clock';
import { beforeEach, expect, test } from 'bun:test';
import type { PostSignal } from '../posts/post-signal.ts';
import type { InstanceContext } from '../../../instance-context.ts';
import { CommentOrder } from './comment-order.ts';

const idOf = (sequence: number) => formatId({ seconds: 1, instanceId: 1, sequence });
const POST = idOf(1);

/** A signal about a comment on a post: that it was written, if it has a number. */
function signalOf(comment: number, number?: number, post = POST): PostSignal {
  const d = { post_id: post, id: idOf(comment), comment_count: comment };
  return {
    post_id: post,
    stream: communityStream(idOf(2)),
    event: { op: 'COMMENT_DELETE', d },
    ...(number !== undefined && { number }),
  };
}

let clock = fakeClock();
let watched = new Set<Id>();
let passed: (number | string)[] = [];
let order: CommentOrder;

beforeEach(() => {
  clock = fakeClock();
  watched = new Set([POST]);
  passed = [];
  order = new CommentOrder({
    // Guarantee: it uses no more of it.
    ctx: { clock } as unknown as InstanceContext,
    isWatched: (post) => watched.has(post),
    pass: ({ number, event }) =>
      passed.push(number ?? `about ${'comment_count' in event.d ? event.d.comment_count : ''}`),
  });
});

const written = (...numbers: readonly number[]) => {
  for (const number of numbers) order.hear(signalOf(number, number));
};

test('[CT21][CT21a] comments that arrive out of order are sent in the order of their numbers', () => {
  order.begin(POST, 4);
  written(7, 6);
  expect(passed).toEqual([]);
  written(5, 8, 10, 9);
  expect(passed).toEqual([5, 6, 7, 8, 9, 10]);
});

test('[CT21] the first comment that arrives says which one comes next, if nothing else does', () => {
  written(7, 9);
  expect(passed).toEqual([7]);
  order.begin(POST, 20);
  written(8);
  expect(passed).toEqual([7, 8, 9]);
});

test('[CT21] what becomes of a comment is sent after it', () => {
  order.begin(POST, 4);
  order.hear(signalOf(3));
  written(6);
  order.hear(signalOf(6));
  written(7);
  expect(passed).toEqual(['about 3']);
  written(5);
  expect(passed).toEqual(['about 3', 5, 6, 7, 'about 6']);
});

test('[CT21][CT21a] a comment that is more than a second late is sent when it comes', () => {
  order.begin(POST, 4);
  written(6);
  order.hear(signalOf(6));
  clock.advance(900);
  written(8);
  order.tick();
  expect(passed).toEqual([]);
  clock.advance(100);
  order.tick();
  expect(passed).toEqual([6]);
  written(5);
  expect(passed).toEqual([6, 5]);
  clock.advance(1_000);
  order.tick();
  expect(passed).toEqual([6, 5, 8, 'about 6']);
  written(9);
  expect(passed.at(-1)).toBe(9);
});

test('[CT21] posts do not wait for each other, and nothing is kept for a post that nobody watches', () => {
  const other = idOf(3);
  watched.add(other);
  order.begin(POST, 4);
  order.begin(other, 0);
  written(6);
  order.hear(signalOf(1, 1, other));
  expect(passed).toEqual([1]);
  watched.delete(POST);
  order.tick();
  watched.add(POST);
  written(9);
  expect(passed).toEqual([1, 9]);
});
