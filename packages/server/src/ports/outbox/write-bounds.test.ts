import { describe, expect, test } from 'bun:test';
import { WRITE_BOUNDS, WriteLoad } from './write-bounds.ts';
import { alone, WriteQueue, type Waiting } from './write-queue.ts';

const work = async () => [];

function waiting(own: Partial<Waiting> = {}): Waiting {
  const subjects = ['post'] as const;
  const settled = { resolve: () => {}, reject: () => {} };
  const other = { caller: 'ada', bytes: 1, isUrgent: false, cameAtMs: 0, work, call: undefined };
  return { subjects, ...other, ...settled, ...own };
}

// Guarantee: nobody calls it.
const writtenAlone = alone as Waiting['work'];

/** Transactions with so many calls that took so many milliseconds, the oldest first. */
function loadAfter(...noted: readonly (readonly [calls: number, ms: number])[]): WriteLoad {
  const load = new WriteLoad(WRITE_BOUNDS);
  for (const [calls, ms] of noted) {
    load.note(
      Array.from({ length: calls }, () => waiting()),
      ms,
      new WriteQueue('post'),
    );
  }
  return load;
}

/** Returns how many calls one transaction may be for. */
function mostTogether(load: WriteLoad): number {
  const calls: Waiting[] = [];
  while (load.fits(calls, calls.length, waiting())) calls.push(waiting());
  return calls.length;
}

/** Returns how many calls may wait until the next one is refused. */
function mostWaiting(
  load: WriteLoad,
  { own, queue = new WriteQueue('post') }: { own?: Partial<Waiting>; queue?: WriteQueue } = {},
): number {
  for (;;) {
    const next = waiting(own);
    try {
      load.add(next, queue, 0);
    } catch {
      return queue.count;
    }
    queue.add(next);
  }
}

describe('what is expected of transactions', () => {
  test('[SC33] if a transaction for one call is slow, one for many calls need not be', () => {
    const load = loadAfter([1, 90], [1, 110], [1, 100]);
    expect(mostTogether(load)).toBe(100);
    expect(mostWaiting(load)).toBe(1_000);
  });

  test('[SC33] a transaction is for as many calls as take about 100 ms, besides what any takes', () => {
    expect(mostTogether(loadAfter([1, 52], [10, 70], [40, 130]))).toBe(50);
    expect(mostTogether(loadAfter([1, 1_000], [2, 2_000]))).toBe(1);
  });

  test('[SC33] no more calls wait than are expected to begin within a second', () => {
    // 50 calls take 150 ms.
    expect(mostWaiting(loadAfter([1, 52], [10, 70], [40, 130]))).toBe(350);
    expect(mostWaiting(loadAfter([1, 900], [2, 1_800]))).toBe(2);
  });

  test('[SC33] transactions of much the same size do not make a single call seem slow', () => {
    expect(mostTogether(loadAfter([50, 30], [51, 60]))).toBe(100);
  });

  test('[SC33] transactions that other work makes slow by chance do not make a call seem slow', () => {
    const noted = [
      [32, 60],
      [20, 120],
      [28, 400],
      [24, 90],
      [31, 500],
      [25, 110],
      [30, 450],
    ] as const;
    expect(mostTogether(loadAfter(...noted))).toBe(100);
  });

  test('[SC33] how long calls wait is expected by what is likely, also if it is not clear', () => {
    const load = loadAfter([10, 400], [20, 100], [30, 700], [40, 300], [50, 900]);
    expect(mostTogether(load)).toBe(100);
    // 100 calls take about 1.4 s.
    expect(mostWaiting(load)).toBe(100);
  });

  test('[SC33] nobody else is answered busy because what moderators do takes long', () => {
    const load = new WriteLoad(WRITE_BOUNDS);
    const queue = new WriteQueue('post');
    load.note([waiting({ work: writtenAlone })], 5, queue);
    load.note([waiting({ work: writtenAlone, isUrgent: true })], 5_000, queue);
    expect(mostWaiting(load, { own: { work: writtenAlone }, queue })).toBeGreaterThan(100);
  });

  test('[SC33] newer transactions count more', () => {
    const slow = Array.from({ length: 20 }, (_, at) => [at + 1, 10 * (at + 1)] as const);
    const fast = Array.from({ length: 20 }, (_, at) => [at + 1, at + 1] as const);
    expect(mostTogether(loadAfter(...slow))).toBe(10);
    expect(mostTogether(loadAfter(...slow, ...fast))).toBeGreaterThan(80);
  });

  test('[SC33] what has transactions of its own is expected to take as long as the last ones of its subject', () => {
    const load = loadAfter();
    const queue = new WriteQueue('post');
    for (const ms of [190, 210, 200, 200]) load.note([waiting({ work: writtenAlone })], ms, queue);
    const own = { work: writtenAlone };
    expect(load.hasRoom([waiting(own)])).toBe(false);
    expect(mostWaiting(load, { own, queue })).toBe(5);
    // At most 10 ms are expected of a subject of which nothing is known, and less if all that was written alone took less.
    expect(mostWaiting(load, { own, queue: new WriteQueue('other post') })).toBe(101);
    for (let at = 0; at < 50; at += 1) load.note([waiting({ work: writtenAlone })], 2, queue);
    expect(mostWaiting(load, { own, queue: new WriteQueue('third post') })).toBeGreaterThan(400);
  });

  test('[SC33] what waits to be written in other ways counts by how long that takes', () => {
    const load = loadAfter([1, 900], [2, 1_800]);
    const queue = new WriteQueue('post');
    for (const ms of [5, 5, 5]) load.note([waiting({ work: writtenAlone })], ms, queue);
    for (let at = 0; at < 100; at += 1) queue.add(waiting({ work: writtenAlone }));
    expect(mostWaiting(load, { queue })).toBe(101);
    expect(mostWaiting(load, { own: { work: writtenAlone }, queue })).toBe(101);
  });
});
