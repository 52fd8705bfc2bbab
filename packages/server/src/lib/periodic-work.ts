import type { Clock } from './clock.ts';

export interface PeriodicWorkOptions {
  readonly clock: Pick<Clock, 'every'>;
  readonly periodMs: number;
  /** Must return soon once `isEnding` is set. */
  readonly work: () => Promise<void>;
  /** Called for the first failure, and for no other before the work has succeeded. */
  readonly onFailure: (error: unknown) => void;
}

/** Background work that is done every so often, never twice at the same time. What failed is tried again with the next period. */
export class PeriodicWork implements AsyncDisposable {
  readonly #options: PeriodicWorkOptions;
  readonly #stop: () => void;
  #run: Promise<void> | undefined;
  #isFailing = false;
  #isEnding = false;

  constructor(options: PeriodicWorkOptions) {
    this.#options = options;
    this.#stop = options.clock.every(options.periodMs, () => void this.run());
  }

  get isEnding(): boolean {
    return this.#isEnding;
  }

  /** Does the work now, or joins the run under way. Does nothing once it is disposed. Never rejects. */
  async run(): Promise<void> {
    if (!this.#isEnding) {
      this.#run ??= this.#attempt().finally(() => {
        this.#run = undefined;
      });
    }
    await this.#run;
  }

  /** Stops; resolves when the run under way has ended. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#isEnding = true;
    this.#stop();
    await this.#run;
  }

  async #attempt(): Promise<void> {
    try {
      await this.#options.work();
      this.#isFailing = false;
    } catch (error) {
      if (!this.#isFailing) this.#options.onFailure(error);
      this.#isFailing = true;
    }
  }
}
