import { expect, test } from 'bun:test';
import { getEventListeners } from 'node:events';
import { manualClock } from '@hearth/testing/manual-clock';
import { NetworkError } from './errors.ts';
import { Guard } from './guard.ts';

const never = new Promise<never>(() => undefined);

test('a request ends with the first signal that aborts, and with its reason', async () => {
  const [one, other] = [new AbortController(), new AbortController()];
  const signals = [one.signal, undefined, other.signal];
  const guard = new Guard({ clock: manualClock(), timeoutMs: 10, signals });
  const racing = guard.race(never);
  other.abort('second');
  one.abort('first');
  expect(await racing.catch((reason: unknown) => reason)).toBe('second');
  // Even a promise that starts only then and ignores the signal.
  expect(await guard.race(never).catch((reason: unknown) => reason)).toBe('second');
});

test('a request ends after too long a silence, unless nothing is expected', async () => {
  const clock = manualClock();
  const guard = new Guard({ clock, timeoutMs: 10, signals: [] });
  const racing = guard.race(never).catch((reason: unknown) => reason);
  await clock.advance(9);
  guard.touch();
  await clock.advance(9);
  guard.pause();
  await clock.advance(1_000);
  guard.touch();
  expect(guard.signal.aborted).toBe(false);
  await clock.advance(10);
  expect(await racing).toBeInstanceOf(NetworkError);
});

test('a request that is over leaves no timer and no listener', async () => {
  const clock = manualClock();
  const { signal } = new AbortController();
  const guard = new Guard({ clock, timeoutMs: 10, signals: [signal] });
  expect(await guard.race(Promise.resolve(7))).toBe(7);
  guard.end();
  expect(clock.timers).toBe(0);
  expect(getEventListeners(signal, 'abort')).toEqual([]);
  expect(getEventListeners(guard.signal, 'abort')).toEqual([]);
});
