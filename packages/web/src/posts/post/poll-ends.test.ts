import { effect } from '@preact/signals';
import { expect, test } from 'bun:test';
import type { Poll } from '@hearth/protocol';
import { idOf } from '../../../test/support/fake-communities.ts';
import { NotFoundError } from '@hearth/sdk';
import { FakePosts, post } from '../../../test/support/fake-posts.ts';

const DAY_MS = 86_400_000;
const OPTIONS = [
  { id: idOf('1'), text: 'Roses' },
  { id: idOf('2'), text: 'Beans' },
];
const RESULT = OPTIONS.map((option) => ({ ...option, votes: 3 }));

/** Polls that end, for those who read them so many milliseconds before the instance says so. */
function polls({ lateMs = 0 } = {}) {
  const ends = new Map<number, number>();
  const gone = new Set<number>();
  const asked: number[] = [];
  const fake: FakePosts = new FakePosts({
    find: (id) => {
      asked.push(Number(id));
      if (gone.has(Number(id))) return Promise.reject(new NotFoundError('gone'));
      return Promise.resolve(post(Number(id), { poll: pollOf(Number(id)) }));
    },
  });
  const { clock, posts } = fake;
  const pollOf = (id: number): Poll => {
    const endsAt = ends.get(id) ?? 0;
    const hasEnded = clock.now() >= endsAt + lateMs;
    return { options: hasEnded ? RESULT : OPTIONS, ends_at: endsAt };
  };
  const open = (id: number, inMs: number) => {
    ends.set(id, clock.now() + inMs);
    posts.known.learn(post(id, { poll: pollOf(id) }));
    return posts.pollEnds.watch(idOf(String(id)), clock.now() + inMs, false);
  };
  const shown = (id: number) => posts.known.find(String(id))?.poll;
  const isOpen = (id: number) => !posts.pollEnds.hasEnded(idOf(String(id)), pollOf(id));
  return { clock, posts, asked, gone, open, shown, isOpen };
}

test('[WC184] polls that are shown are closed when they end, with one timer for the nearest end', async () => {
  const { clock, asked, open, shown, isOpen } = polls();
  open(20, 90_000);
  open(21, 5_000);
  const leave = open(22, 6_000);
  const drawn: boolean[] = [];
  effect(() => void drawn.push(isOpen(21)));
  expect(clock.timers).toBe(1);
  await clock.advance(4_999);
  expect([isOpen(21), asked]).toEqual([true, []]);
  await clock.advance(1);
  expect([isOpen(21), isOpen(20), asked]).toEqual([false, true, [21]]);
  expect(shown(21)?.options).toEqual(RESULT);
  expect(drawn).toEqual([true, false]);
  leave();
  await clock.advance(85_000);
  expect([isOpen(20), asked]).toEqual([false, [21, 20]]);
  expect(shown(20)?.options).toEqual(RESULT);
  expect(clock.timers).toBe(0);
});

test('[WC184] somebody who has voted sees the last result after the end', async () => {
  const { clock, asked, posts } = polls();
  posts.pollEnds.watch(idOf('20'), clock.now() + 1_000, true);
  await clock.advance(1_000);
  expect(asked).toEqual([20]);
  posts.pollEnds.watch(idOf('20'), clock.now() - 1_000, true);
  await clock.advance(DAY_MS);
  expect(asked).toEqual([20]);
});

test('[WC184] a poll that ends in a year waits for that, also if the clock is set meanwhile', async () => {
  const { clock, asked, open, isOpen } = polls();
  const waited: number[] = [];
  const after = clock.after.bind(clock);
  clock.after = (ms, callback) => {
    waited.push(ms);
    return after(ms, callback);
  };
  open(20, 365 * DAY_MS);
  await clock.advance(3_600_000);
  expect(asked).toEqual([]);
  expect(Math.max(...waited)).toBe(60_000);
  clock.set(clock.now() + 365 * DAY_MS);
  await clock.advance(60_000);
  expect([isOpen(20), asked]).toEqual([false, [20]]);
  expect(clock.timers).toBe(0);
});

test('[WC184][WC184a] if the clock of the reader is ahead, the poll is open again, and the result is asked for less and less often', async () => {
  const { clock, asked, open, shown, isOpen } = polls({ lateMs: 10_000 });
  open(20, 1_000);
  const drawn: boolean[] = [];
  effect(() => void drawn.push(isOpen(20)));
  await clock.advance(1_000);
  expect([isOpen(20), shown(20)?.options]).toEqual([true, OPTIONS]);
  // After 2, 6 and 14 seconds.
  await clock.advance(13_999);
  expect(asked).toHaveLength(3);
  await clock.advance(1);
  expect(shown(20)?.options).toEqual(RESULT);
  // What is being filled in stays while it is asked for again.
  expect(drawn).toEqual([true, false, true, false]);
  await clock.advance(DAY_MS);
  expect(asked).toHaveLength(4);
});

test('[WC184] the result of a poll is no longer asked for once its post is gone', async () => {
  const { clock, asked, gone, open } = polls({ lateMs: 10_000 });
  open(20, 1_000);
  await clock.advance(1_000);
  gone.add(20);
  await clock.advance(DAY_MS);
  expect(asked).toEqual([20, 20]);
  expect(clock.timers).toBe(0);
});
