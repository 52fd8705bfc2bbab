/** Work that callers at the same time share, by a key. */
export class SharedWork<Result> {
  readonly #running = new Map<string, Promise<Result>>();

  /** Resolves or rejects with the running work with this key; if there is none, `work` begins. */
  async of(key: string, work: () => Promise<Result>): Promise<Result> {
    const running = this.#running.get(key);
    if (running !== undefined) return running;
    const begun = work().finally(() => this.#running.delete(key));
    this.#running.set(key, begun);
    return begun;
  }
}
