import { expect, test } from 'bun:test';
import { Replay } from './replay-buffer.ts';
import type { LiveStream } from './live-streams.ts';
import { SWEEP_BYTES, Sweeps } from './sweeps.ts';

const MOST_BYTES = 4_000_000;

function stream(name: string): LiveStream {
  const bounds = { events: 0, minutes: 1, bytes: 0 };
  const buffer = new Replay(bounds, { monotonicMs: () => 0 }).open({ epoch: 'E', position: 0 });
  return { name, buffer, followers: new Map(), named: 0, bytesSinceSweep: 0 };
}

test('[ST10][GW18] a check of the sockets is due when one stream has published 1.5 MB', () => {
  const sweeps = new Sweeps(MOST_BYTES);
  const [one, other] = [stream('one'), stream('other')];
  sweeps.count(one, SWEEP_BYTES - 1);
  sweeps.count(other, SWEEP_BYTES - 1);
  expect(sweeps.isDue).toBe(false);
  sweeps.count(one, 1);
  expect(sweeps.isDue).toBe(true);
  expect(sweeps.take()).toEqual([one, other]);
  expect(sweeps.isDue).toBe(false);
  sweeps.count(one, SWEEP_BYTES - 1);
  expect(sweeps.isDue).toBe(false);
  expect(sweeps.take()).toEqual([one]);
  expect(sweeps.take()).toEqual([]);
});

test('[ST10] a check is due when all streams together have published what may wait without loss', () => {
  const sweeps = new Sweeps(MOST_BYTES);
  const streams = Array.from({ length: 400 }, (_, index) => stream(`c:${index}`));
  for (const each of streams.slice(1)) sweeps.count(each, 10_000);
  expect(sweeps.isDue).toBe(false);
  sweeps.count(stream('last'), 10_000);
  expect(sweeps.isDue).toBe(true);
  expect(sweeps.take()).toHaveLength(400);
  sweeps.count(stream('next'), 1);
  expect(sweeps.isDue).toBe(false);
});
