import type { Logger } from '../../../log/logger.ts';

/** Logs once when messages cannot be written to the history, and once when they can be again. */
export class OutageLog {
  readonly #log: Logger;
  #isFailing = false;

  constructor(log: Logger) {
    this.#log = log;
  }

  /** True if the last attempt failed. */
  get isFailing(): boolean {
    return this.#isFailing;
  }

  succeed(): void {
    if (this.#isFailing) this.#log.info({}, 'messages are written to the history again');
    this.#isFailing = false;
  }

  fail(error: unknown): void {
    if (!this.#isFailing) {
      this.#log.error({ err: error }, 'messages cannot be written to the history');
    }
    this.#isFailing = true;
  }
}
