import type { SdkClock } from './clock.ts';
import { deferred } from './deferred.ts';
import { NetworkError } from './errors.ts';

/** What may end a request, beside its answer. */
export interface GuardOptions {
  readonly clock: SdkClock;
  readonly signals: readonly (AbortSignal | undefined)[];
  readonly timeoutMs: number;
}

/** One request's end, whoever brings it about: its caller, the client, or silence of more than `timeoutMs`. */
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

  /** Aborted when the request is to end; its reason is what to reject with. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** There was a sign of life: the silence begins anew. */
  touch(): void {
    this.pause();
    if (this.signal.aborted) return;
    const { clock, timeoutMs } = this.#options;
    this.#stopTimer = clock.after(timeoutMs, () => {
      this.#controller.abort(new NetworkError(`The instance was silent for ${timeoutMs} ms`));
    });
  }

  /** Nothing is expected of the other side for now. */
  pause(): void {
    this.#stopTimer?.();
    this.#stopTimer = undefined;
  }

  /** The request is over: lets go of timer and signals. */
  end(): void {
    this.pause();
    for (const forget of this.#forget.splice(0)) forget();
  }

  /** `promise`, or a rejection as soon as the request is to end, also where `promise` itself takes no notice. */
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
      // Whichever of them comes second is nobody's concern any more.
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
