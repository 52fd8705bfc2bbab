import { systemClock, type Clock } from '../../server/src/lib/clock.ts';

/** The machine's clock, but halted until a test releases it: no time passes before that, however slow the machine is. */
export interface HeldClock extends Clock {
  /** Releases the clock, this much later than it was halted. */
  release(laterMs: number): void;
}

export function heldClock(): HeldClock {
  const stoodAt = { unixMs: systemClock.unixMs(), monotonicMs: systemClock.monotonicMs() };
  let aheadMs: number | undefined;
  const read = (name: 'unixMs' | 'monotonicMs') => () =>
    aheadMs === undefined ? stoodAt[name] : systemClock[name]() + aheadMs;
  return {
    ...systemClock,
    unixMs: read('unixMs'),
    monotonicMs: read('monotonicMs'),
    release(laterMs) {
      aheadMs = laterMs;
    },
  };
}
