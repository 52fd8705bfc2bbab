import type { SdkClock } from './clock.ts';
import { deferred } from './deferred.ts';
import { NetworkError } from './errors.ts';

/** Signals and times that may end a request besides its answer. */
export interface GuardOptions {
  readonly clock: SdkClock;
  readonly signals: readonly (AbortSignal | undefined)[];
  readonly timeoutMs: number;
}

/** Ends one request for its caller, for the client, or after a silence of more than `timeoutMs`. */
export class Guard {
  readonly #options: GuardOptions;
  readonly #controller = new AbortController();
  readonly #forget: (() => void)[] = [];
  #stopTimer: (() => void) | undefined;

  constructor(options: GuardOptions) {
    this.#options = options;
    for (const signal of options.signals) if (signal !== undefined) this.#follow(signal);
    this.touch();
  }

  /** Aborted when the request has to end; its reason is what to reject with. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** There was a sign of life: the time-out starts again. */
  touch(): void {
    this.pause();
    if (this.signal.aborted) return;
    const { clock, timeoutMs } = this.#options;
    this.#stopTimer = clock.after(timeoutMs, () => {
      this.#controller.abort(new NetworkError(`The instance was silent for ${timeoutMs} ms`));
    });
  }

  /** The other side need not send anything for now. */
  pause(): void {
    this.#stopTimer?.();
    this.#stopTimer = undefined;
  }

  /** The request is over: releases the timer and the signals. */
  end(): void {
    this.pause();
    for (const forget of this.#forget.splice(0)) forget();
  }

  /** Settles as `promise` does, or rejects as soon as the request has to end, even if `promise` itself goes on. */
  async race<Value>(promise: Promise<Value>): Promise<Value> {
    const { promise: ended, reject } = deferred<never>();
    const onAbort = () => reject(this.signal.reason);
    if (this.signal.aborted) onAbort();
    this.signal.addEventListener('abort', onAbort);
    try {
      return await Promise.race([promise, ended]);
    } catch (error) {
      throw this.signal.aborted ? this.signal.reason : error;
    } finally {
      this.signal.removeEventListener('abort', onAbort);
      // Nobody is interested in the one that comes second.
      for (const late of [promise, ended]) late.catch(() => undefined);
    }
  }

  #follow(signal: AbortSignal): void {
    const onAbort = () => {
      this.pause();
      this.#controller.abort(signal.reason);
    };
    if (signal.aborted) return onAbort();
    signal.addEventListener('abort', onAbort);
    this.#forget.push(() => signal.removeEventListener('abort', onAbort));
  }
}
