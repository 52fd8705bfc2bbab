/** Limits how long an operation may be silent, and how long it may take. */
export class Deadline implements Disposable {
  #quietMs: number;
  readonly #controller = new AbortController();
  #quiet: NodeJS.Timeout;
  readonly #whole: NodeJS.Timeout | undefined;

  /** Aborts if `touch` is not called for `quietMs`, or after `wholeMs`. */
  constructor(quietMs: number, wholeMs?: number) {
    this.#quietMs = quietMs;
    this.#quiet = this.#abortAfter(quietMs);
    this.#whole = wholeMs === undefined ? undefined : this.#abortAfter(wholeMs);
  }

  /** For how long it may be silent now. */
  get quietMs(): number {
    return this.#quietMs;
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  get isOver(): boolean {
    return this.#controller.signal.aborted;
  }

  /** Notes a sign of life. */
  touch(): void {
    if (!this.isOver) this.#quiet.refresh();
  }

  /** Notes a sign of life, after which the operation may be silent for `quietMs`. */
  allow(quietMs: number): void {
    if (this.isOver) return;
    clearTimeout(this.#quiet);
    this.#quietMs = quietMs;
    this.#quiet = this.#abortAfter(quietMs);
  }

  /** Aborts now. */
  abort(): void {
    this.#controller.abort();
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#quiet);
    clearTimeout(this.#whole);
  }

  #abortAfter(ms: number): NodeJS.Timeout {
    return setTimeout(() => this.#controller.abort(), ms);
  }
}
