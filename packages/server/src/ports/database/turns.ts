import { noAnswerError } from './postgres-error.ts';

/** Limits how many callers have a turn at the same time. They get their turns in the order of the calls. */
export class Turns {
  #free: number;
  readonly #waiting = new Set<() => void>();

  constructor(count: number) {
    this.#free = count;
  }

  /** Resolves with a function that ends the turn; call it once. Rejects if no turn came within `timeoutMs`. */
  async take(timeoutMs: number): Promise<() => void> {
    if (this.#free > 0) this.#free -= 1;
    else await this.#wait(timeoutMs);
    return () => this.#pass();
  }

  #wait(timeoutMs: number): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const go = () => {
      clearTimeout(timer);
      resolve();
    };
    const timer = setTimeout(() => {
      this.#waiting.delete(go);
      reject(noAnswerError());
    }, timeoutMs);
    this.#waiting.add(go);
    return promise;
  }

  #pass(): void {
    const [next] = this.#waiting;
    if (next === undefined) {
      this.#free += 1;
      return;
    }
    this.#waiting.delete(next);
    next();
  }
}
