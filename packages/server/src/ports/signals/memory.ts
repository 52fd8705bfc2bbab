import { LRUCache } from 'lru-cache';
import type { Logger } from '../../log/logger.ts';
import type { Clock } from '../../lib/clock.ts';
import { SignalListeners } from './signal-listeners.ts';
import type { Signals } from './signals.ts';

/** The number of keys of signals that are remembered. */
const MOST_KEYS = 10_000;

/** The engine of an instance that is one process. */
export function memorySignals({
  clock,
  log,
}: {
  readonly clock: Pick<Clock, 'monotonicMs'>;
  readonly log: Logger;
}): Signals {
  const listeners = new SignalListeners(log);
  /** Until when nothing more is sent, in monotonic milliseconds. */
  const sent = new LRUCache<string, number>({ max: MOST_KEYS });
  return {
    isAlone: true,
    send(signal, once) {
      const now = clock.monotonicMs();
      if (once !== undefined) {
        if ((sent.get(once.key) ?? -Infinity) > now) return;
        sent.set(once.key, now + once.everyMs);
      }
      queueMicrotask(() => listeners.notify(signal));
    },
    listen: (listener) => listeners.add(listener),
    async [Symbol.asyncDispose]() {},
  };
}
