import { errorCode, errorMessage } from '../lib/error-code.ts';
import type { Logger } from '../log/logger.ts';
import { StartError } from '../lib/start-error.ts';

/** The wait after the first failure, in milliseconds. It doubles with each failure, up to `LAST_RETRY_MS`. */
const FIRST_RETRY_MS = 100;
const LAST_RETRY_MS = 2_000;

/** A server to connect to, and how long to try. */
export interface Reaching<Connection> {
  /** The environment variable or option that names the server. Log lines and errors begin with it. */
  readonly variable: string;
  /** The address of the server without a password, such as `host:port/database`. */
  readonly place: string;
  /** The time for which to try, in milliseconds. The last attempt begins when this time is up. */
  readonly timeoutMs: number;
  readonly log: Logger;
  connect(): Promise<Connection>;
  /** Returns whether an error is one that waiting cannot fix, such as a wrong password. */
  isLasting(error: unknown): boolean;
}

/** The clock of the attempts. Tests simulate it. */
export interface Waiting {
  nowMs(): number;
  wait(ms: number): Promise<void>;
}

const realWaiting: Waiting = {
  nowMs: () => performance.now(),
  wait: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
};

/**
 * Connects to a server that the instance cannot start without, and retries until it is reached. Logs the first failure
 * at once. Throws StartError if the server is not reached in time, or at once if waiting cannot fix the error.
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
      const failure = `${variable}: cannot reach ${place}`;
      const seconds = timeoutMs / 1_000;
      if (leftMs <= 0) throw new StartError(`${failure} within ${seconds} s: ${reason}`);
      if (attempt === 0) log.warn({}, `${failure}, trying for ${seconds} s: ${reason}`);
      await waiting.wait(Math.min(FIRST_RETRY_MS * 2 ** attempt, LAST_RETRY_MS, leftMs));
    }
  }
}

/** An error about attempts at several addresses may leave the message to the errors in it. */
function reasonOf(error: unknown): string {
  const errors: readonly unknown[] = error instanceof AggregateError ? error.errors : [];
  const message = [error, ...errors].map(errorMessage).find((text) => text !== '');
  return message ?? errorCode(error) ?? 'no reason was given';
}
