import { postMessage } from './post-message.ts';
import type { TestInstance } from '../instances/test-instance.ts';

/** How much is posted. */
export interface ProfileLoadOptions {
  readonly messages: number;
  /** Posts under way at a time. */
  readonly atOnce: number;
  readonly contentOf: (index: number) => string;
}

/** Messages posted as fast as they are accepted, by whose number clients can tell the time. */
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

  /** Posts all. */
  async run(): Promise<void> {
    await Promise.all(Array.from({ length: this.#options.atOnce }, () => this.#post()));
  }

  /** Resolves when so many more are posted, or all. */
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
