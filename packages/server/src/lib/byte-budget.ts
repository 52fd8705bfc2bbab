/** Lets callers use so many bytes at the same time. The others wait and are served in the order of their calls. */
export class ByteBudget {
  #freeBytes: number;
  readonly #waiting: { readonly bytes: number; readonly serve: () => void }[] = [];

  constructor(bytes: number) {
    this.#freeBytes = bytes;
  }

  /** Resolves with a share of the bytes, which its disposal returns. It must not be more than there are. */
  async take(bytes: number): Promise<Disposable> {
    if (this.#waiting.length > 0 || bytes > this.#freeBytes) {
      const { promise, resolve: serve } = Promise.withResolvers<void>();
      this.#waiting.push({ bytes, serve });
      await promise;
    } else this.#freeBytes -= bytes;
    let isHeld = true;
    return {
      [Symbol.dispose]: () => {
        if (isHeld) this.#giveBack(bytes);
        isHeld = false;
      },
    };
  }

  #giveBack(bytes: number): void {
    this.#freeBytes += bytes;
    for (;;) {
      const [next] = this.#waiting;
      if (next === undefined || next.bytes > this.#freeBytes) return;
      this.#waiting.shift();
      this.#freeBytes -= next.bytes;
      next.serve();
    }
  }
}
