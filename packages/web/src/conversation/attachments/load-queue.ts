/** A request that waits for its turn. */
interface Task {
  readonly run: () => Promise<void>;
}

/** The time to wait, so that rows which are only scrolled past load nothing. */
const SETTLE_MS = 60;

/** Runs a few tasks at a time, the latest request first: that is what the reader looks at. */
export class LoadQueue implements Disposable {
  readonly #mostRunning: number;
  readonly #waiting = new Set<Task>();
  #running = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(mostRunning: number) {
    this.#mostRunning = mostRunning;
  }

  /** Adds a task; returns a function that removes it while it waits. */
  add(run: () => Promise<void>): () => void {
    const task = { run };
    this.#waiting.add(task);
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#fill();
    }, SETTLE_MS);
    return () => this.#waiting.delete(task);
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#timer);
    this.#waiting.clear();
  }

  #fill(): void {
    while (this.#running < this.#mostRunning) {
      const next = [...this.#waiting].at(-1);
      if (next === undefined) return;
      this.#waiting.delete(next);
      void this.#run(next);
    }
  }

  async #run({ run }: Task): Promise<void> {
    this.#running += 1;
    try {
      await run();
    } finally {
      this.#running -= 1;
      this.#fill();
    }
  }
}
