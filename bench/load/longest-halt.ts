const TICK_MS = 1;

/** Measures the longest time that this process was too busy to do anything else. */
export class LongestHalt implements Disposable {
  readonly #timer: ReturnType<typeof setInterval>;
  #lastTickAt = performance.now();
  #milliseconds = 0;

  constructor() {
    this.#timer = setInterval(() => this.#tick(), TICK_MS);
  }

  get milliseconds(): number {
    this.#tick();
    return this.#milliseconds;
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
  }

  #tick(): void {
    const now = performance.now();
    this.#milliseconds = Math.max(this.#milliseconds, now - this.#lastTickAt - TICK_MS);
    this.#lastTickAt = now;
  }
}
