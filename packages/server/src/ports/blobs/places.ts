/** A semaphore: a limited number hold a place at once, and others wait for their turn. */
export class Places {
  #free: number;
  /** In the order in which they asked. */
  readonly #waiting = new Set<() => void>();

  constructor(count: number) {
    this.#free = count;
  }

  /** Resolves with a place, which is returned by disposing it. Rejects if `signal` aborts first. */
  async take(signal: AbortSignal): Promise<Disposable> {
    if (this.#free > 0) this.#free -= 1;
    else await this.#turn(signal);
    let isTaken = true;
    return {
      [Symbol.dispose]: () => {
        if (isTaken) this.#giveBack();
        isTaken = false;
      },
    };
  }

  #turn(signal: AbortSignal): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const giveUp = () => {
      this.#waiting.delete(begin);
      reject(new Error('no place was free'));
    };
    const begin = () => {
      signal.removeEventListener('abort', giveUp);
      resolve();
    };
    this.#waiting.add(begin);
    signal.addEventListener('abort', giveUp, { once: true });
    return promise;
  }

  #giveBack(): void {
    const [next] = this.#waiting;
    if (next === undefined) {
      this.#free += 1;
      return;
    }
    this.#waiting.delete(next);
    next();
  }
}
