import type { Written } from './message-source.ts';

/** A message that is not sent yet. */
export interface Draft extends Written {
  readonly author: string;
}

export interface OutboxOptions {
  readonly post: (draft: Draft) => Promise<void>;
  /** Called if a message was not sent. The next ones are still tried. */
  readonly onFailure: (draft: Draft, error: unknown) => void;
}

/** A queue of messages to the instance. They are sent one at a time, so that they arrive in the order of input. */
export class Outbox {
  readonly #options: OutboxOptions;
  readonly #waiting: Draft[] = [];
  #sending: Promise<void> = Promise.resolve();

  constructor(options: OutboxOptions) {
    this.#options = options;
  }

  /** The number of messages that are not sent yet. */
  get size(): number {
    return this.#waiting.length;
  }

  send(draft: Draft): void {
    this.#waiting.push(draft);
    if (this.#waiting.length === 1) this.#sending = this.#sendAll();
  }

  /** Resolves when the queue is empty. */
  async emptied(): Promise<void> {
    await this.#sending;
  }

  async #sendAll(): Promise<void> {
    for (let draft = this.#waiting[0]; draft !== undefined; draft = this.#waiting[0]) {
      try {
        await this.#options.post(draft);
      } catch (error) {
        this.#options.onFailure(draft, error);
      }
      this.#waiting.shift();
    }
  }
}
