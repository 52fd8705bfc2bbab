import { postMessage } from './post-message.ts';
import type { TestInstance } from '../instances/test-instance.ts';

/** The amount of posts. */
export interface ProfileLoadOptions {
  readonly messages: number;
  /** Posts in flight at a time. */
  readonly atOnce: number;
  readonly contentOf: (index: number) => string;
}

/** Posts messages as fast as they are accepted. Clients use the number of posts as a clock. */
export class ProfileLoad {
  readonly #instance: TestInstance;
  readonly #options: ProfileLoadOptions;
  readonly #waiting = new Set<{ readonly until: number; readonly resolve: () => void }>();
  #begun = 0;
  #posted = 0;

  constructor(instance: TestInstance, options: ProfileLoadOptions) {
    this.#instance = instance;
    this.#options = options;
  }

  get isOver(): boolean {
    return this.#posted === this.#options.messages;
  }

  /** Posts all messages. */
  async run(): Promise<void> {
    await Promise.all(Array.from({ length: this.#options.atOnce }, () => this.#post()));
  }

  /** Resolves when this many more messages are posted, or all of them. */
  more(count: number): Promise<void> {
    const until = Math.min(this.#posted + count, this.#options.messages);
    return new Promise((resolve) => {
      if (this.#posted >= until) setImmediate(resolve);
      else this.#waiting.add({ until, resolve });
    });
  }

  async #post(): Promise<void> {
    const { messages, contentOf } = this.#options;
    while (this.#begun < messages) {
      this.#begun += 1;
      await postMessage(this.#instance, contentOf(this.#begun));
      this.#posted += 1;
      for (const each of this.#waiting) {
        if (each.until > this.#posted) continue;
        this.#waiting.delete(each);
        each.resolve();
      }
    }
  }
}
