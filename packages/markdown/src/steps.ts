/** Parsing a text takes more steps than it may. */
export class TooManySteps extends Error {}

/**
 * Counts the steps of a parser: about one for each character that it looks at, on every machine the same. Throws
 * `TooManySteps` once there are more than `most`.
 */
export class Steps {
  readonly #most: number;
  #taken = 0;

  constructor(most: number) {
    this.#most = most;
  }

  /** The number of steps until now. */
  get taken(): number {
    return this.#taken;
  }

  /** Counts `count` more steps, before they are taken. */
  take(count: number): void {
    this.#taken += count;
    if (this.#taken > this.#most) throw new TooManySteps(`more than ${this.#most} steps`);
  }
}
