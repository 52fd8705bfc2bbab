/** The time in milliseconds for which a transaction's work may keep others waiting for anything but its own queries. */
const WORK_MS = 250;

/**
 * Ends the work of transactions that takes too long. All of them share a timer, because nearly all work ends in the turn of
 * the event loop in which it begins, and a timer for each costs more than a statement.
 */
export class WorkTimer {
  #timer: NodeJS.Timeout | undefined;
  #endsAtMs = 0;
  /** Rejects the work that is under way. */
  #reject: ((error: Error) => void) | undefined;

  /** Resolves or rejects like `work`, but rejects after 250 ms. Only one work may be under way. */
  async inTime<Result>(work: Promise<Result>): Promise<Result> {
    const { promise, resolve, reject } = Promise.withResolvers<Result>();
    work.then(resolve, reject);
    this.#reject = reject;
    this.#endsAtMs = performance.now() + WORK_MS;
    this.#timer ??= this.#wait(WORK_MS);
    try {
      return await promise;
    } finally {
      this.#reject = undefined;
    }
  }

  /** Stops the timer until the next work. */
  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #wait(ms: number): NodeJS.Timeout {
    return setTimeout(() => this.#check(), ms);
  }

  #check(): void {
    const leftMs = this.#endsAtMs - performance.now();
    const reject = this.#reject;
    this.#timer = reject === undefined ? undefined : this.#wait(leftMs > 0 ? leftMs : WORK_MS);
    if (reject === undefined || leftMs > 0) return;
    // If this process itself was held up, the work continues first.
    setImmediate(() =>
      reject(new Error(`a transaction was rolled back: its work took more than ${WORK_MS} ms`)),
    );
  }
}
