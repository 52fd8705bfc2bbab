import { signal } from '@preact/signals';
import { NetworkError, NotFoundError, RateLimitedError, type MyChannel } from '@hearth/sdk';
import { manualClock, settled } from '@hearth/testing/manual-clock';
import { expect, test } from 'bun:test';
import { channel as general, idOf } from '../../test/support/fake-communities.ts';
import { SeenMarks } from './seen-marks.ts';

test('[WC149] what somebody sees who is not a member is not marked as read', () => {
  const marked: string[] = [];
  const own = signal<MyChannel | undefined>(undefined);
  const marks = new SeenMarks({ markRead: async (id) => void marked.push(id) }, own);
  marks.mark(idOf('500'));
  own.value = general('2', 'general');
  marks.mark(idOf('501'));
  expect(marked).toEqual(['501']);
});

test('[WC149] a mark is sent again if the instance could not be reached, as soon as it can be', async () => {
  const errors = [new NotFoundError('gone'), new NetworkError('away')];
  const markRead = () => Promise.reject(errors.shift() ?? new Error('no'));
  const marks = new SeenMarks({ markRead }, signal(general('2', 'general')));
  const clock = manualClock();
  const isReachable = signal(true);
  let repeated = 0;
  const readMark = { seeAgain: () => void (repeated += 1) };
  const stop = marks.follow({ readMark }, { connection: { isReachable }, clock });
  marks.mark(idOf('500'));
  await settled();
  await clock.advance(60_000);
  expect(repeated).toBe(0);
  isReachable.value = false;
  marks.mark(idOf('501'));
  await settled();
  await clock.advance(60_000);
  isReachable.value = true;
  await clock.advance(5_000);
  await clock.advance(60_000);
  expect([repeated, clock.timers]).toEqual([1, 0]);
  stop();
});

test('[WC399] a mark is sent again if its place was busy for too long', async () => {
  const busy = new RateLimitedError('Too much', 1_000, 'busy');
  const marks = new SeenMarks(
    { markRead: () => Promise.reject(busy) },
    signal(general('2', 'general')),
  );
  const clock = manualClock();
  let repeated = 0;
  const readMark = { seeAgain: () => void (repeated += 1) };
  const stop = marks.follow({ readMark }, { connection: { isReachable: signal(true) }, clock });
  marks.mark(idOf('500'));
  await clock.advance(5_000);
  expect(repeated).toBe(1);
  stop();
});
