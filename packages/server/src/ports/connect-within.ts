import { errorCode, errorMessage } from '../lib/error-code.ts';
import type { Logger } from '../log/logger.ts';
import { StartError } from '../lib/start-error.ts';

/** How long after the first failure the next attempt is made, in milliseconds; each time twice as long. */
const FIRST_RETRY_MS = 100;
const LAST_RETRY_MS = 2_000;

/** What a start has to reach. */
export interface Reaching<Connection> {
  /** The environment variable that names it, for its owner. */
  readonly variable: string;
  /** Where it is, such as `host:port/database`, without any password. */
  readonly place: string;
  /** How long it is tried, in milliseconds. The last attempt begins then. */
  readonly timeoutMs: number;
  readonly log: Logger;
  connect(): Promise<Connection>;
  /** Whether an error is one that waiting does not mend, such as a wrong password. */
  isLasting(error: unknown): boolean;
}

/** How time passes, so that tests can tell it. */
export interface Waiting {
  nowMs(): number;
  wait(ms: number): Promise<void>;
}

const realWaiting: Waiting = {
  nowMs: () => performance.now(),
  wait: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
};

/**
 * Connects to what the instance cannot start without, over and over until it is there. The log tells of the first
 * failure at once. Throws StartError where it is not reached in time, or at once where waiting does not mend it.
 */
export async function connectWithin<Connection>(
  reaching: Reaching<Connection>,
  waiting: Waiting = realWaiting,
): Promise<Connection> {
  const { variable, place, timeoutMs, log } = reaching;
  const startedAtMs = waiting.nowMs();
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await reaching.connect();
    } catch (error) {
      if (error instanceof StartError) throw error;
      const reason = reasonOf(error);
      if (reaching.isLasting(error))
        throw new StartError(`${variable}: cannot use ${place}: ${reason}`);
      const leftMs = startedAtMs + timeoutMs - waiting.nowMs();
      const told = `${variable}: cannot reach ${place}`;
      const seconds = timeoutMs / 1_000;
      if (leftMs <= 0) throw new StartError(`${told} within ${seconds} s: ${reason}`);
      if (attempt === 0) log.warn({}, `${told}, trying for ${seconds} s: ${reason}`);
      await waiting.wait(Math.min(FIRST_RETRY_MS * 2 ** attempt, LAST_RETRY_MS, leftMs));
    }
  }
}

/** Of attempts at several addresses the runtime tells what each of them has failed with, and nothing itself. */
function reasonOf(error: unknown): string {
  const errors: readonly unknown[] = error instanceof AggregateError ? error.errors : [];
  const told = [error, ...errors].map(errorMessage).find((text) => text !== '');
  return told ?? errorCode(error) ?? 'no reason was given';
}
