/** How an outbox sends its messages. */
export interface OutboxOptions {
  readonly post: (content: string) => Promise<void>;
  /** Called if a message was not sent. The next ones are still tried. */
  readonly onFailure: (content: string, error: unknown) => void;
}

/** A queue of messages to the instance. They are sent one at a time, so that they arrive in the order of input. */
export class Outbox {
  readonly #options: OutboxOptions;
  readonly #waiting: string[] = [];
  #sending: Promise<void> = Promise.resolve();

  constructor(options: OutboxOptions) {
    this.#options = options;
  }

  /** The number of messages that are not sent yet. */
  get size(): number {
    return this.#waiting.length;
  }

  send(content: string): void {
    this.#waiting.push(content);
    if (this.#waiting.length === 1) this.#sending = this.#sendAll();
  }

  /** Resolves when the queue is empty. */
  async emptied(): Promise<void> {
    await this.#sending;
  }

  async #sendAll(): Promise<void> {
    for (let content = this.#waiting[0]; content !== undefined; content = this.#waiting[0]) {
      try {
        await this.#options.post(content);
      } catch (error) {
        this.#options.onFailure(content, error);
      }
      this.#waiting.shift();
    }
  }
}
