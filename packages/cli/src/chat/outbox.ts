/** How what waits is sent. */
export interface OutboxOptions {
  readonly post: (content: string) => Promise<void>;
  /** A message was not sent; the next ones are tried all the same. */
  readonly onFailure: (content: string, error: unknown) => void;
}

/** Messages on their way to the instance, one after another, so that they arrive in the order in which they were said. */
export class Outbox {
  readonly #options: OutboxOptions;
  readonly #waiting: string[] = [];
  #sending: Promise<void> = Promise.resolve();

  constructor(options: OutboxOptions) {
    this.#options = options;
  }

  /** How many are not sent yet. */
  get size(): number {
    return this.#waiting.length;
  }

  send(content: string): void {
    this.#waiting.push(content);
    if (this.#waiting.length === 1) this.#sending = this.#sendAll();
  }

  /** Resolves when nothing waits any more. */
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
