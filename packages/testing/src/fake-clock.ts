import type { Clock } from '../../server/src/lib/clock.ts';

/** A clock that a test moves. */
export interface FakeClock extends Clock {
  /** Lets time pass in steps of 100 ms, and runs the timers that are due. */
  advance(ms: number): void;
  /** Lets time pass at once, as if the process had been halted: a timer that was due meanwhile runs once, at the end. */
  halt(ms: number): void;
  /** Sets only the wall clock, as an owner may. */
  setUnixMs(unixMs: number): void;
}

const STEP_MS = 100;

/** A clock that stands at `unixMs`. */
export function fakeClock(unixMs = 1_800_000_000_000): FakeClock {
  let wall = unixMs;
  let monotonic = 0;
  const timers = new Set<{ readonly periodMs: number; readonly run: () => void; dueAt: number }>();
  const step = (ms: number) => {
    wall += ms;
    monotonic += ms;
    for (const timer of timers) {
      if (timer.dueAt > monotonic) continue;
      timer.dueAt = monotonic + timer.periodMs;
      timer.run();
    }
  };
  return {
    unixMs: () => wall,
    monotonicMs: () => monotonic,
    every(periodMs, run) {
      const timer = { periodMs, run, dueAt: monotonic + periodMs };
      timers.add(timer);
      return () => {
        timers.delete(timer);
      };
    },
    advance(ms) {
      for (let left = ms; left > 0; left -= STEP_MS) step(Math.min(STEP_MS, left));
    },
    halt: step,
    setUnixMs(value) {
      wall = value;
    },
  };
}
