import type { SdkClock } from '@hearth/sdk';

/** A clock that a test moves. */
export interface ManualClock extends SdkClock {
  /** Lets this much time pass, timer by timer. */
  advance(ms: number): Promise<void>;
  /** Sets the clock, as an owner may. Timers are not affected. */
  set(unixMs: number): void;
  readonly timers: number;
  /** The time that has passed, independent of changes to the clock. */
  readonly passedMs: number;
}

interface Timer {
  readonly at: number;
  readonly callback: () => void;
}

/** A clock that stands still. */
export function manualClock(startMs = 1_800_000_000_000): ManualClock {
  let passed = 0;
  let offset = startMs;
  const timers = new Set<Timer>();
  return {
    now: () => offset + passed,
    after(delayMs, callback) {
      const timer = { at: passed + delayMs, callback };
      timers.add(timer);
      return () => void timers.delete(timer);
    },
    async advance(ms) {
      const until = passed + ms;
      for (;;) {
        await settled();
        const [next] = [...timers].toSorted((one, other) => one.at - other.at);
        if (next === undefined || next.at > until) break;
        timers.delete(next);
        passed = Math.max(passed, next.at);
        next.callback();
      }
      passed = until;
      await settled();
    },
    set: (unixMs) => void (offset = unixMs - passed),
    get passedMs() {
      return passed;
    },
    get timers() {
      return timers.size;
    },
  };
}

/** Resolves after everything that only waits for promises has continued. */
export async function settled(): Promise<void> {
  for (let turn = 0; turn < 3; turn += 1) {
    await new Promise<void>((resolve) => setImmediate(resolve));
  }
}
