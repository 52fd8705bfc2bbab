/**
 * The time that a caller waits for a permit: until the signal aborts, until the time is over, or as long as it takes.
 */
export interface Patience {
  readonly signal?: AbortSignal;
  readonly timeoutMs?: number;
}

/** Lets a fixed number of callers work at the same time. The others wait and are served in the order of their calls. */
export class Semaphore {
  #free: number;
  readonly #waiting = new Set<() => void>();

  constructor(permits: number) {
    this.#free = permits;
  }

  /** Resolves with a permit, which its disposal returns, or with undefined if none was free in time. Never rejects. */
  async acquire(patience: Patience = {}): Promise<Disposable | undefined> {
    if (this.#free > 0) this.#free -= 1;
    else if (!(await this.#wait(patience))) return undefined;
    let isHeld = true;
    return {
      [Symbol.dispose]: () => {
        if (isHeld) this.#release();
        isHeld = false;
      },
    };
  }

  #wait({ signal, timeoutMs }: Patience): Promise<boolean> {
    if (signal?.aborted) return Promise.resolve(false);
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const end = (isServed: boolean) => {
      this.#waiting.delete(serve);
      clearTimeout(timer);
      signal?.removeEventListener('abort', giveUp);
      resolve(isServed);
    };
    const serve = () => end(true);
    const giveUp = () => end(false);
    const timer = timeoutMs === undefined ? undefined : setTimeout(giveUp, timeoutMs);
    signal?.addEventListener('abort', giveUp);
    this.#waiting.add(serve);
    return promise;
  }

  #release(): void {
    const [next] = this.#waiting;
    if (next === undefined) this.#free += 1;
    else next();
  }
}
