/** Steps to run at the end of a lifetime. A DisposableStack, which Safari does not have. */
export class CleanUp {
  #steps: (() => void)[] = [];

  /** Adds a step. */
  defer(step: () => void): void {
    this.#steps.push(step);
  }

  /** Runs the steps, the last one first. Once. */
  dispose(): void {
    const steps = this.#steps.toReversed();
    this.#steps = [];
    for (const step of steps) step();
  }
}
