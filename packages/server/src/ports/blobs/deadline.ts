/** Limits how long an operation may be silent, and how long it may take. */
export class Deadline implements Disposable {
  readonly quietMs: number;
  readonly #controller = new AbortController();
  readonly #quiet: NodeJS.Timeout;
  readonly #whole: NodeJS.Timeout | undefined;

  /** Aborts if `touch` is not called for `quietMs`, or after `wholeMs`. */
  constructor(quietMs: number, wholeMs?: number) {
    this.quietMs = quietMs;
    const abort = () => this.#controller.abort();
    this.#quiet = setTimeout(abort, quietMs);
    this.#whole = wholeMs === undefined ? undefined : setTimeout(abort, wholeMs);
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

  /** Aborts now. */
  abort(): void {
    this.#controller.abort();
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#quiet);
    clearTimeout(this.#whole);
  }
}
