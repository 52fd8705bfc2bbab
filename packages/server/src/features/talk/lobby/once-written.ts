import type { Clock } from '../../../lib/clock.ts';

/** The time that a running instance may take to write what was posted a moment ago. */
const WRITTEN_BY_MS = 1_000;
const POLL_MS = 50;

/** Returns the result of `find`, which is called again while a message that it does not find may not be written yet. */
export async function onceWritten<Found>(
  clock: Clock,
  find: () => Promise<Found | undefined>,
): Promise<Found | undefined> {
  const giveUpAt = clock.monotonicMs() + WRITTEN_BY_MS;
  for (;;) {
    const found = await find();
    if (found !== undefined || clock.monotonicMs() > giveUpAt) return found;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}
