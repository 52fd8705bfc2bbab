import type { SdkClock } from './clock.ts';
import { NetworkError } from './errors.ts';
import { Guard } from './guard.ts';

/** The times to wait before each repetition. After the last one, a person should know. */
const REPEAT_AFTER_MS = [300, 2_000, 5_000] as const;

/** Nothing is repeated that has taken so long, for example because the instance is silent. */
const REPEATED_WITHIN_MS = 20_000;

/** Makes an attempt again if it got no answer, a few times. Rejects as the last one did, or as soon as a signal aborts. */
export async function untilAnswered<Value>(
  attempt: () => Promise<Value>,
  { clock, signals }: WaitOptions,
): Promise<Value> {
  const endsAtMs = clock.now() + REPEATED_WITHIN_MS;
  for (const delayMs of REPEAT_AFTER_MS) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof NetworkError) || clock.now() > endsAtMs) throw error;
    }
    await pause(delayMs, { clock, signals });
  }
  return await attempt();
}

interface WaitOptions {
  readonly clock: SdkClock;
  readonly signals: readonly (AbortSignal | undefined)[];
}

async function pause(delayMs: number, { clock, signals }: WaitOptions): Promise<void> {
  const guard = new Guard({ clock, signals, timeoutMs: Infinity });
  guard.pause();
  let stop: (() => void) | undefined;
  try {
    await guard.race(
      new Promise<void>((resolve) => {
        stop = clock.after(delayMs, resolve);
      }),
    );
  } finally {
    stop?.();
    guard.end();
  }
}
