/** Work that is done one after the other, so that nothing arrives before what came first. */
export class InTurn {
  readonly #newest = new Map<string, object>();
  #end: Promise<unknown> = Promise.resolve();

  /**
   * Does something after all that was asked for before. If the same is asked for again before its turn comes, only the newer
   * one is done, and the outcome of this one is undefined.
   */
  run<Value>(what: string, act: () => Promise<Value>): Promise<Value | undefined> {
    const turn = {};
    this.#newest.set(what, turn);
    const isNewest = () => this.#newest.get(what) === turn;
    const outcome = this.#end.then(() => (isNewest() ? act() : undefined));
    this.#end = outcome.catch(() => {});
    return outcome;
  }
}
