/** Keeps what was used last: when values weigh more than `capacity` together, those are forgotten that nobody used for longest. */
export class RecentlyUsed<Value> {
  readonly #entries = new Map<string, { readonly value: Value; readonly weight: number }>();
  readonly #capacity: number;
  #weight = 0;

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  /** The value of `key`, which counts as using it. */
  get(key: string): Value | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    // A map keeps its keys in the order in which they were set.
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    return entry.value;
  }

  /** Keeps `value` in place of what `key` had. What is heavier than the capacity is not kept. */
  set(key: string, value: Value, weight: number): void {
    this.#forget(key);
    if (weight > this.#capacity) return;
    this.#entries.set(key, { value, weight });
    this.#weight += weight;
    for (const oldest of this.#entries.keys()) {
      if (this.#weight <= this.#capacity) return;
      this.#forget(oldest);
    }
  }

  /** Forgets the values that match. */
  forgetWhere(isForgotten: (value: Value) => boolean): void {
    for (const [key, { value }] of this.#entries) {
      if (isForgotten(value)) this.#forget(key);
    }
  }

  /** Forgets everything. */
  clear(): void {
    this.#entries.clear();
    this.#weight = 0;
  }

  #forget(key: string): void {
    const entry = this.#entries.get(key);
    if (entry === undefined) return;
    this.#entries.delete(key);
    this.#weight -= entry.weight;
  }
}
